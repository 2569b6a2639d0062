import { availableParallelism } from "node:os";
import { expectedTries, type SearchCriterion } from "./criteria.ts";
import type { ObservedWait } from "./observed-tries.ts";
import {
  forThread,
  openSearch,
  progressOf,
  settle,
  startAgain,
  takeIn,
  waitOf,
  type OpenSearch,
  type SearchHit,
  type SearchRequest,
} from "./search/open-search.ts";
import { lowerEnd } from "./search/search-state.ts";
import type { Report } from "./search/shared-batches.ts";
import { startSolverThread, type SolverThread, type ThreadListener } from "./search/solver-thread.ts";

export interface SolverStats {
  /** Nonces. */
  tries: number;
  /** scrypt evaluations that decided them. */
  digests: number;
  /** Summed over the threads. */
  busyMs: number;
  workers: number;
}

export interface Solver {
  /**
   * The first nonce, counting up, that satisfies the criterion: no smaller one from the start does. Searches at the same
   * time share batches.
   *
   * @throws {InconclusiveError} precondition-missing, when `limitTries` nonces have none
   * @throws {SolverError} when two threads were lost while at it, or the solver is closed
   * @throws the signal's reason, when it is aborted
   */
  search(request: SearchRequest): Promise<SearchHit>;
  stats(): SolverStats;
  /** Of the searches so far that ended at so many zero bits or more, as the document counts. */
  waits(): readonly ObservedWait[];
  /** Ends the threads and rejects what is under way. */
  close(): Promise<void>;
}

/** A defect on our side, not the target's. */
export class SolverError extends Error {
  override readonly name = "SolverError";
}

export interface SolverOptions {
  /** Threads; by default one for each core. Each takes up to 128 MiB. */
  workers?: number;
  startThread?: (place: number, listener: ThreadListener) => SolverThread;
}

export function createSolver({
  workers = availableParallelism(),
  startThread = startSolverThread,
}: SolverOptions = {}): Solver {
  const threads = new Map<number, SolverThread>();
  const searches = new Map<number, OpenSearch>();
  const waits: ObservedWait[] = [];
  const totals = { tries: 0, digests: 0, busyMs: 0 };
  let begun = 0;
  let closed = false;

  function threadAt(place: number): SolverThread {
    const running = threads.get(place);
    if (running !== undefined) return running;
    const thread = startThread(place, { onReport, onLost: (cause) => onLost(place, cause) });
    threads.set(place, thread);
    return thread;
  }

  function onReport(report: Report): void {
    totals.tries += report.tries;
    totals.digests += report.digests;
    totals.busyMs += report.busyMs;
    const search = searches.get(report.id);
    if (search === undefined) return;
    if (report.error !== undefined) return fail(search, report.error);
    takeIn(search, report);
    if (settle(search)) {
      searches.delete(search.id);
      const wait = waitOf(search);
      if (wait !== null) waits.push(wait);
    } else if (report.tries > 0) search.request.onProgress?.(progressOf(search));
  }

  /** What was on the thread starts again with another in its place; but only once. */
  function onLost(place: number, cause: unknown): void {
    if (closed) return;
    threads.delete(place);
    const affected = [...searches.values()].filter((search) => search.threads.includes(place));
    for (const search of affected) {
      searches.delete(search.id);
      search.losses += 1;
      if (search.losses > 1) {
        fail(search, cause);
      } else {
        startAgain(search, begun++, workers);
        begin(search);
      }
    }
  }

  function begin(search: OpenSearch): void {
    searches.set(search.id, search);
    for (const place of search.threads) threadAt(place).begin(forThread(search));
  }

  function fail(search: OpenSearch, cause: unknown): void {
    drop(search, new SolverError("a thread of the proof-of-work solver crashed", { cause }));
  }

  /** Frees the threads that are at it. */
  function drop(search: OpenSearch, reason: unknown): void {
    searches.delete(search.id);
    lowerEnd(search.state, 0);
    search.answer.reject(reason);
  }

  /** Those with the fewest searches, no more of them than find something to do. */
  function threadsFor(accept: SearchCriterion): number[] {
    const load = (place: number): number =>
      [...searches.values()].filter((search) => search.threads.includes(place)).length;
    const places = Array.from({ length: workers }, (_, place) => place);
    return places.toSorted((a, b) => load(a) - load(b)).slice(0, threadsWorth(accept));
  }

  return {
    async search(request) {
      if (closed) throw new SolverError("the proof-of-work solver is closed");
      request.signal?.throwIfAborted();
      const search = openSearch(begun++, request, threadsFor(request.accept), workers);
      const abort = (): void => drop(search, request.signal?.reason);
      request.signal?.addEventListener("abort", abort, { once: true });
      begin(search);
      return search.answer.promise.finally(() => request.signal?.removeEventListener("abort", abort));
    },
    stats: () => ({ ...totals, workers }),
    waits: () => [...waits],
    async close() {
      closed = true;
      for (const search of searches.values()) {
        drop(search, new SolverError("the proof-of-work solver was closed"));
      }
      await Promise.all([...threads.values()].map((thread) => thread.stop()));
    },
  };
}

/**
 * A batch has up to eight lanes. Of a search that needs four tries, what a second thread tries is mostly wasted: at two bits
 * it took 40 % of the processor time, and the searches ended no sooner (two threads; measured 2026-11).
 */
function threadsWorth(accept: SearchCriterion): number {
  return Math.ceil((expectedTries(accept) ?? Infinity) / 8);
}
