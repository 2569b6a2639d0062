import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { expectedTries, type SearchCriterion } from "../criteria.ts";
import { createSharedChoice, chooseSharedForm, type SharedChoice } from "../kernel/digest-engine.ts";
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

// JavaScript beside JavaScript in the package, TypeScript in the sources.
const program = new URL(`./solver-worker${extname(import.meta.filename)}`, import.meta.url);

/** What a thread starts with. */
export interface WorkerData {
  /** Its index in the pool. */
  thread: number;
  form: SharedChoice;
}

/** The threads of the solver process. */
export interface ThreadPool {
  begin(search: LimitedSearch): void;
  /** Its threads stop working on it after their current batch. */
  abandon(id: number): void;
}

interface RunningSearch {
  id: number;
  /** Indexes of the threads that work on it. */
  threads: readonly number[];
  state: SearchState;
  /** The end of the state until there is a hit. */
  limit: number;
  /** Lowest so far. */
  best: NumberedHit | null;
}

/** A thread starts with its first search. One that crashes ends the process, because nobody listens for its error. */
export function createThreadPool(size: number, onReports: (reports: SearchReport[]) => void): ThreadPool {
  const form = createSharedChoice();
  const threads = new Map<number, Worker>();
  const searches = new Map<number, RunningSearch>();

  function threadAt(index: number): Worker {
    const running = threads.get(index);
    if (running !== undefined) return running;
    const workerData: WorkerData = { thread: index, form };
    const thread = new Worker(program, { workerData });
    thread.on("message", (reports: BatchReport[]) => onReports(reports.map(reportOf)));
    threads.set(index, thread);
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

  /** The threads with the fewest searches, and no more of them than the search can use. */
  function threadsFor(accept: SearchCriterion): number[] {
    const load = (index: number): number =>
      [...searches.values()].filter((search) => search.threads.includes(index)).length;
    const indexes = Array.from({ length: size }, (_, index) => index);
    return indexes.toSorted((a, b) => load(a) - load(b)).slice(0, usefulThreads(accept));
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
      // Calibrates on this thread, which is idle, while the others start.
      if (threads.size === 0) setImmediate(chooseSharedForm, form);
      searches.set(search.id, running);
      const forThread: ThreadSearch = { ...search, state };
      for (const index of running.threads) threadAt(index).postMessage(forThread);
    },
    abandon(id) {
      const search = searches.get(id);
      if (search !== undefined) end(search);
    },
  };
}

/** A hit is final once every lower number has been decided. */
function outcomeOf({ state, limit, best }: RunningSearch): SearchOutcome | null {
  // First of all: a hit that comes between the two questions would otherwise be taken for none.
  if (!isDecided(state)) return null;
  // A thread lowers the end before it reports its hit.
  const isReported = endOf(state) === (best?.number ?? limit);
  if (!isReported) return null;
  return best === null ? { kind: "exhausted" } : { kind: "hit", hit: best };
}

/**
 * A batch has up to eight lanes. A second thread is mostly wasted on a search that needs four tries: at two bits it took
 * 40 % of the processor time, and the searches ended no sooner (two threads; measured 2026-11).
 */
function usefulThreads(accept: SearchCriterion): number {
  return Math.ceil((expectedTries(accept) ?? Infinity) / 8);
}
