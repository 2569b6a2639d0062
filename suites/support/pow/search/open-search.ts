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
  /** First nonce to try; 0 when absent. A bigint beyond 2^53. */
  from?: number | bigint;
  /** Text before and after the decimal number, for nonces that are none: `{ prefix: "-" }`. */
  around?: { prefix?: string; suffix?: string };
  accept: SearchCriterion;
  /** Of which digest the hit carries the hexadecimal text; `document` when absent. */
  recipe?: Recipe;
  /** Nonces. Without it the search goes on until it is aborted. */
  limitTries?: number;
  signal?: AbortSignal;
  /** Told after each batch that does not end the search: many times a second. */
  onProgress?: (progress: SearchProgress) => void;
}

/** Where a search is. Waiting for a digest has no memory: what has been tried does not shorten what is left. */
export interface SearchProgress {
  /** Nonces. */
  tries: number;
  elapsedMs: number;
  /** Of this search, over all threads, waiting for other searches included. */
  triesPerSecond: number;
  /** Mean of what is still to try, always the same; null when the criterion has several conditions. */
  expectedTries: number | null;
}

export interface SearchHit extends Hit {
  /** Nonces tried for this search, over all threads: those too that were in one batch with the hit, and behind it. */
  tries: number;
  /** From the call to the hit, waiting included. */
  durationMs: number;
}

/** A search that is not answered yet. */
export interface OpenSearch {
  readonly id: number;
  readonly request: SearchRequest;
  readonly startedMs: number;
  /** Nonces from the first that are certain to be no hit, as of when the search was last given to a process. */
  skipped: number;
  /** As `skipped`, by now. */
  decided: number;
  tries: number;
  /** Processes lost while at it. */
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

/** What is left of a search, for a process: numbers count from the first nonce that is not decided. */
export function remainderOf(search: OpenSearch): LimitedSearch {
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

export function takeIn(search: OpenSearch, { tries, decidedBelow }: SearchReport): void {
  search.tries += tries;
  // A thread that is about to take its first number makes all others look undecided for a moment.
  search.decided = Math.max(search.decided, search.skipped + decidedBelow);
}

export function progressOf({ request, tries, startedMs }: OpenSearch): SearchProgress {
  const elapsedMs = performance.now() - startedMs;
  const triesPerSecond = (1000 * tries) / elapsedMs;
  return { tries, elapsedMs, triesPerSecond, expectedTries: expectedTries(request.accept) };
}

export function hitOf({ tries, startedMs }: OpenSearch, { nonce, powHex, bits }: NumberedHit): SearchHit {
  return { nonce, powHex, bits, tries, durationMs: performance.now() - startedMs };
}

export function exhausted({ request: { accept }, decided }: OpenSearch): InconclusiveError {
  const wanted = describeCriterion(accept);
  return new InconclusiveError(
    "precondition-missing",
    `none of ${decided} nonces gives a digest with ${wanted}`,
  );
}

/** @returns null for a criterion other than a challenge's */
export function waitOf({ request: { accept }, skipped }: OpenSearch, hit: NumberedHit): ObservedWait | null {
  if ("all" in accept || accept.kind !== "at-least") return null;
  const { bits, counting = "msb", recipe = "document" } = accept;
  if (counting !== "msb" || recipe !== "document") return null;
  return { difficultyBits: bits, tries: skipped + hit.number + 1 };
}
