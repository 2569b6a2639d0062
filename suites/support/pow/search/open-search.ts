import { InconclusiveError } from "../../verdict.ts";
import { describeCriterion, expectedTries, type SearchCriterion } from "../criteria.ts";
import type { ObservedWait } from "../observed-tries.ts";
import type { Recipe } from "../recipes.ts";
import type { Hit } from "./candidate.ts";
import {
  createSearchState,
  endOf,
  isDecided,
  lowerEnd,
  lowestUndecided,
  type SearchState,
} from "./search-state.ts";
import type { Report, ThreadSearch } from "./shared-batches.ts";

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
  readonly request: SearchRequest;
  /** Threads that work on it, by their place. */
  readonly threads: readonly number[];
  readonly startedMs: number;
  /** Another when it starts again. */
  id: number;
  state: SearchState;
  /** Nonces that were decided before it started again: the state counts from there. */
  before: number;
  /** End of the state as long as there is no hit. */
  limit: number;
  /** Lowest so far. */
  best: Report["hit"];
  tries: number;
  /** Threads lost while at it. */
  losses: number;
  readonly answer: PromiseWithResolvers<SearchHit>;
}

/** @param workers - all threads of the solver, of which `threads` work on this search */
export function openSearch(
  id: number,
  request: SearchRequest,
  threads: readonly number[],
  workers: number,
): OpenSearch {
  const state = createSearchState(workers, request.limitTries);
  return {
    request,
    threads,
    startedMs: performance.now(),
    id,
    state,
    before: 0,
    limit: endOf(state),
    best: null,
    tries: 0,
    losses: 0,
    answer: Promise.withResolvers(),
  };
}

/**
 * Forgets what is not certain: after a thread was lost, the numbers that it had taken, and a hit that it did not come to
 * report. Threads that work on the former state let go of it.
 */
export function startAgain(search: OpenSearch, id: number, workers: number): void {
  search.before += lowestUndecided(search.state);
  lowerEnd(search.state, 0);
  const { limitTries = Infinity } = search.request;
  search.id = id;
  search.state = createSearchState(workers, limitTries - search.before);
  search.limit = endOf(search.state);
  search.best = null;
}

export function forThread({ id, request, state, before }: OpenSearch): ThreadSearch {
  const { jti, saltHexText, from = 0, around = {}, accept, recipe = "document" } = request;
  const { prefix = "", suffix = "" } = around;
  const first = BigInt(from) + BigInt(before);
  return { id, jti, saltHexText, accept, recipe, from: first, prefix, suffix, state };
}

export function takeIn(search: OpenSearch, { hit, tries }: Report): void {
  search.tries += tries;
  if (hit !== null && hit.number < (search.best?.number ?? Infinity)) search.best = hit;
}

/**
 * Answers a search that is decided: a hit counts once every nonce before it was tried.
 *
 * @returns whether it was
 */
export function settle({
  request,
  state,
  limit,
  best,
  before,
  tries,
  startedMs,
  answer,
}: OpenSearch): boolean {
  // A hit ends a search before its report is here.
  const isReported = endOf(state) === (best?.number ?? limit);
  if (!isReported || !isDecided(state)) return false;
  if (best === null) {
    const wanted = describeCriterion(request.accept);
    const message = `none of ${before + limit} nonces gives a digest with ${wanted}`;
    answer.reject(new InconclusiveError("precondition-missing", message));
  } else {
    const { nonce, powHex, bits } = best;
    answer.resolve({ nonce, powHex, bits, tries, durationMs: performance.now() - startedMs });
  }
  return true;
}

export function progressOf({ request, tries, startedMs }: OpenSearch): SearchProgress {
  const elapsedMs = performance.now() - startedMs;
  const triesPerSecond = (1000 * tries) / elapsedMs;
  return { tries, elapsedMs, triesPerSecond, expectedTries: expectedTries(request.accept) };
}

/** @returns null for a search without a hit, or with another criterion than a challenge's */
export function waitOf({ request: { accept }, best, before }: OpenSearch): ObservedWait | null {
  if (best === null || "all" in accept || accept.kind !== "at-least") return null;
  const { bits, counting = "msb", recipe = "document" } = accept;
  if (counting !== "msb" || recipe !== "document") return null;
  return { difficultyBits: bits, tries: before + best.number + 1 };
}
