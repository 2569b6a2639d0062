import { Worker } from "node:worker_threads";
import { expectedTries, type SearchCriterion } from "../criteria.ts";
import { createSharedChoice, decideForm, type SharedChoice } from "../kernel/digest-engine.ts";
import type { LimitedSearch, NumberedHit, SearchOutcome, SearchReport } from "./process-messages.ts";
import {
  createSearchState,
  endOf,
  isDecided,
  lowerEnd,
  lowestUndecided,
  type SearchState,
} from "./search-state.ts";
import type { BatchReport, ThreadSearch } from "./shared-batches.ts";

/** What a thread starts with. */
export interface WorkerData {
  /** Its place in the pool. */
  thread: number;
  form: SharedChoice;
}

/** The threads of the solver process, and what they share. */
export interface ThreadPool {
  begin(search: LimitedSearch): void;
  /** Frees the threads that work on the search, after the batch that they are at. */
  abandon(id: number): void;
}

interface RunningSearch {
  id: number;
  /** Places of the threads that work on it. */
  threads: readonly number[];
  state: SearchState;
  /** End of the state as long as there is no hit. */
  limit: number;
  /** Lowest so far. */
  best: NumberedHit | null;
}

/**
 * Threads start with the first search that they get. One that crashes ends the process, and whoever started that starts
 * another.
 */
export function createThreadPool(size: number, onReports: (reports: SearchReport[]) => void): ThreadPool {
  const form = createSharedChoice();
  const threads = new Map<number, Worker>();
  const searches = new Map<number, RunningSearch>();

  function threadAt(place: number): Worker {
    const running = threads.get(place);
    if (running !== undefined) return running;
    const workerData: WorkerData = { thread: place, form };
    const thread = new Worker(new URL("./solver-worker.ts", import.meta.url), { workerData });
    thread.on("message", (reports: BatchReport[]) => onReports(reports.map(reportOf)));
    threads.set(place, thread);
    return thread;
  }

  function reportOf({ hit, error, ...counts }: BatchReport): SearchReport {
    const search = searches.get(counts.id);
    if (search === undefined) return { ...counts, decidedBelow: 0 };
    if (hit !== null && hit.number < (search.best?.number ?? Infinity)) search.best = hit;
    const outcome: SearchOutcome | null = error === undefined ? outcomeOf(search) : { kind: "failed", error };
    const decidedBelow = lowestUndecided(search.state);
    if (outcome === null) return { ...counts, decidedBelow };
    end(search);
    return { ...counts, decidedBelow, outcome };
  }

  function end(search: RunningSearch): void {
    searches.delete(search.id);
    lowerEnd(search.state, 0);
  }

  /** Those with the fewest searches, no more of them than find something to do. */
  function threadsFor(accept: SearchCriterion): number[] {
    const load = (place: number): number =>
      [...searches.values()].filter((search) => search.threads.includes(place)).length;
    const places = Array.from({ length: size }, (_, place) => place);
    return places.toSorted((a, b) => load(a) - load(b)).slice(0, threadsWorth(accept));
  }

  return {
    begin({ limitTries, ...search }) {
      const state = createSearchState(size, limitTries);
      const running = {
        id: search.id,
        threads: threadsFor(search.accept),
        state,
        limit: endOf(state),
        best: null,
      };
      // On this thread, which is idle, and not before the others start.
      if (threads.size === 0) setImmediate(decideForm, form);
      searches.set(search.id, running);
      const forThread: ThreadSearch = { ...search, state };
      for (const place of running.threads) threadAt(place).postMessage(forThread);
    },
    abandon(id) {
      const search = searches.get(id);
      if (search !== undefined) end(search);
    },
  };
}

/** A hit counts once every nonce before it was tried. */
function outcomeOf({ state, limit, best }: RunningSearch): SearchOutcome | null {
  // A hit ends a search before its report is here.
  const isReported = endOf(state) === (best?.number ?? limit);
  if (!isReported || !isDecided(state)) return null;
  return best === null ? { kind: "exhausted" } : { kind: "hit", hit: best };
}

/**
 * A batch has up to eight lanes. Of a search that needs four tries, what a second thread tries is mostly wasted: at two bits
 * it took 40 % of the processor time, and the searches ended no sooner (two threads; measured 2026-11).
 */
function threadsWorth(accept: SearchCriterion): number {
  return Math.ceil((expectedTries(accept) ?? Infinity) / 8);
}
