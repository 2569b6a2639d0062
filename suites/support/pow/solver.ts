import { availableParallelism } from "node:os";
import { kernelFlags } from "./kernel/v8-flags.ts";
import type { ObservedWait } from "./observed-tries.ts";
import {
  exhaustedError,
  openSearch,
  progressOf,
  remainingSearch,
  recordReport,
  toSearchHit,
  observedWait,
  type OpenSearch,
  type SearchHit,
  type SearchRequest,
} from "./search/open-search.ts";
import type { SearchOutcome, SearchReport, SolverReport } from "./search/process-messages.ts";
import { startSolverProcess, type SolverProcess } from "./search/solver-process.ts";

export interface SolverStats {
  /** Nonces tried. */
  tries: number;
  /** scrypt evaluations for them. */
  digests: number;
  /** Time spent computing, summed over the threads. */
  busyMs: number;
  /** Processor time of the solver process, including its start. */
  cpuMs: number;
  workers: number;
}

export interface Solver {
  /**
   * Finds the lowest nonce, from the first one on, that satisfies the criterion. Concurrent searches share batches.
   *
   * @throws {InconclusiveError} precondition-missing, when none of `limitTries` nonces is a hit
   * @throws {SolverError} when the recipe cannot be applied, when two processes were lost, or when the solver is closed
   * @throws the signal's reason, when it is aborted
   */
  search(request: SearchRequest): Promise<SearchHit>;
  stats(): SolverStats;
  /** How long the finished searches took that looked for at least some number of zero bits, as a challenge does. */
  waits(): readonly ObservedWait[];
  /** Rejects unfinished searches and ends the process. */
  close(): Promise<void>;
}

/** A defect on our side, not the target's. */
export class SolverError extends Error {
  override readonly name = "SolverError";
}

export interface SolverOptions {
  /** Threads; by default one per core. Each uses up to 128 MiB. */
  workers?: number;
  startProcess?: typeof startSolverProcess;
}

/**
 * The solver runs in a process of its own, because its kernels need V8 flags. The process starts with the first search, and
 * ends when the solver is closed or this process ends. When it is lost during a search, a process without flags replaces it,
 * and the search continues from the first undecided nonce.
 */
export function createSolver({
  workers = availableParallelism(),
  startProcess = startSolverProcess,
}: SolverOptions = {}): Solver {
  const searches = new Map<number, OpenSearch>();
  const waits: ObservedWait[] = [];
  const totals = { tries: 0, digests: 0, busyMs: 0, cpuMs: 0 };
  let flags = kernelFlags;
  let running: SolverProcess | undefined;
  let begun = 0;
  let closed = false;

  function begin(search: OpenSearch): void {
    running ??= startProcess({ threads: workers, flags }, { onReport, onLost });
    searches.set(search.id, search);
    running.setBusy(true);
    running.send({ kind: "begin", search: remainingSearch(search) });
  }

  function onReport(report: SolverReport): void {
    totals.cpuMs += report.cpuMs;
    for (const one of report.searches) onSearchReport(one);
  }

  function onSearchReport(report: SearchReport): void {
    totals.tries += report.tries;
    totals.digests += report.digests;
    totals.busyMs += report.busyMs;
    const search = searches.get(report.id);
    if (search === undefined) return;
    recordReport(search, report);
    if (report.outcome !== undefined) settle(search, report.outcome);
    else if (report.tries > 0) search.request.onProgress?.(progressOf(search));
  }

  function settle(search: OpenSearch, outcome: SearchOutcome): void {
    remove(search);
    switch (outcome.kind) {
      case "hit": {
        const wait = observedWait(search, outcome.hit);
        if (wait !== null) waits.push(wait);
        return search.answer.resolve(toSearchHit(search, outcome.hit));
      }
      case "exhausted":
        return search.answer.reject(exhaustedError(search));
      case "failed": {
        const { error: cause } = outcome;
        return search.answer.reject(
          new SolverError(`the search cannot be computed: ${String(cause)}`, { cause }),
        );
      }
    }
  }

  function onLost(cause: Error): void {
    running = undefined;
    if (searches.size > 0 && flags.length > 0) {
      process.emitWarning(`${cause.message}; the search continues without V8 flags, more slowly`);
      flags = [];
    }
    for (const search of searches.values()) {
      search.losses += 1;
      if (search.losses === 1) begin(search);
      else reject(search, new SolverError(`the search failed in two processes: ${cause.message}`, { cause }));
    }
  }

  function reject(search: OpenSearch, reason: unknown): void {
    remove(search);
    search.answer.reject(reason);
  }

  function remove(search: OpenSearch): void {
    searches.delete(search.id);
    if (searches.size === 0) running?.setBusy(false);
  }

  return {
    async search(request) {
      if (closed) throw new SolverError("the proof-of-work solver is closed");
      request.signal?.throwIfAborted();
      const search = openSearch(begun++, request);
      const abort = (): void => {
        reject(search, request.signal?.reason);
        running?.send({ kind: "abandon", id: search.id });
      };
      request.signal?.addEventListener("abort", abort, { once: true });
      begin(search);
      return search.answer.promise.finally(() => request.signal?.removeEventListener("abort", abort));
    },
    stats: () => ({ ...totals, workers }),
    waits: () => [...waits],
    async close() {
      closed = true;
      for (const search of searches.values()) {
        reject(search, new SolverError("the proof-of-work solver was closed"));
      }
      await running?.stop();
    },
  };
}
