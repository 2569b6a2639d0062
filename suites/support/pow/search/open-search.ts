import { InconclusiveError } from "../../verdict.ts";
import { describeCriterion, expectedTries, type SearchCriterion } from "../criteria.ts";
import type { ObservedWait } from "../observed-tries.ts";
import type { Recipe } from "../recipes.ts";
import type { Hit } from "./candidate.ts";
import type { LimitedSearch, NumberedHit, SearchReport } from "./process-messages.ts";

export interface SearchRequest {
  jti: string;
  /** The hexadecimal text itself. */
  saltHexText: string;
  /** First nonce to try; 0 by default. Use a bigint above 2^53. */
  from?: number | bigint;
  /** Text before and after the decimal number, for nonces that are not plain integers: `{ prefix: "-" }`. */
  around?: { prefix?: string; suffix?: string };
  accept: SearchCriterion;
  /** The digest that the hit reports; `document` by default. */
  recipe?: Recipe;
  /** Nonces to try. By default the search runs until it finds a hit or is aborted. */
  limitTries?: number;
  signal?: AbortSignal;
  /** Called after each batch that does not end the search: many times a second. */
  onProgress?: (progress: SearchProgress) => void;
}

/** The search is memoryless: the expected remaining tries do not shrink as nonces are tried. */
export interface SearchProgress {
  /** Nonces. */
  tries: number;
  elapsedMs: number;
  /** Of this search on all threads, including the time spent on other searches. */
  triesPerSecond: number;
  /** Mean number of tries still to come; null when the criterion has no simple formula. */
  expectedTries: number | null;
}

export interface SearchHit extends Hit {
  /** Nonces tried on all threads, including higher ones that were in the same batches as the hit. */
  tries: number;
  /** From the call to the hit, including the start of the solver process. */
  durationMs: number;
}

/** A search without a result yet. */
export interface OpenSearch {
  readonly id: number;
  readonly request: SearchRequest;
  readonly startedMs: number;
  /** Nonces at the start that the current process skips, because an earlier one decided them. */
  skipped: number;
  /** Nonces at the start that are known not to be hits. */
  decided: number;
  tries: number;
  /** Processes lost during this search. */
  losses: number;
  readonly answer: PromiseWithResolvers<SearchHit>;
}

export function openSearch(id: number, request: SearchRequest): OpenSearch {
  return {
    id,
    request,
    startedMs: performance.now(),
    skipped: 0,
    decided: 0,
    tries: 0,
    losses: 0,
    answer: Promise.withResolvers(),
  };
}

/** The rest of the search, numbered from the first undecided nonce. */
export function remainingSearch(search: OpenSearch): LimitedSearch {
  const { jti, saltHexText, from = 0, around = {}, accept, recipe = "document", limitTries } = search.request;
  const { prefix = "", suffix = "" } = around;
  search.skipped = search.decided;
  return {
    id: search.id,
    jti,
    saltHexText,
    accept,
    recipe,
    from: BigInt(from) + BigInt(search.skipped),
    prefix,
    suffix,
    limitTries: (limitTries ?? Infinity) - search.skipped,
  };
}

export function recordReport(search: OpenSearch, { tries, decidedBelow }: SearchReport): void {
  search.tries += tries;
  // It can fall for a moment: a thread that is about to take its first number holds 0.
  search.decided = Math.max(search.decided, search.skipped + decidedBelow);
}

export function progressOf({ request, tries, startedMs }: OpenSearch): SearchProgress {
  const elapsedMs = performance.now() - startedMs;
  const triesPerSecond = (1000 * tries) / elapsedMs;
  return { tries, elapsedMs, triesPerSecond, expectedTries: expectedTries(request.accept) };
}

export function toSearchHit(
  { tries, startedMs }: OpenSearch,
  { nonce, powHex, bits }: NumberedHit,
): SearchHit {
  return { nonce, powHex, bits, tries, durationMs: performance.now() - startedMs };
}

export function exhaustedError({ request: { accept }, decided }: OpenSearch): InconclusiveError {
  const wanted = describeCriterion(accept);
  return new InconclusiveError(
    "precondition-missing",
    `none of ${decided} nonces gives a digest with ${wanted}`,
  );
}

/** @returns null when the criterion is not that of a challenge */
export function observedWait(
  { request: { accept }, skipped }: OpenSearch,
  hit: NumberedHit,
): ObservedWait | null {
  if ("all" in accept || accept.kind !== "at-least") return null;
  const { bits, counting = "msb", recipe = "document" } = accept;
  if (counting !== "msb" || recipe !== "document") return null;
  return { difficultyBits: bits, tries: skipped + hit.number + 1 };
}
