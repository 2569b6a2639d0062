import type { MeasuredSpeed } from "../../suites/support/pow/cost.ts";
import { powDigestSync } from "../../suites/support/pow/scrypt-digest.ts";
import type { Solver } from "../../suites/support/pow/solver.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";

export interface SpeedHere extends MeasuredSpeed {
  threads: number;
  /** Elapsed time, all threads together. */
  hashesPerSecond: number;
  /** Share of the solver's working time in which its threads had to wait for a core, 0 to 1. */
  shareWithoutCore: number;
}

const nodeCryptoRuns = 9;
const solverDurationMs = 1000;
const input = { jti: "speed", saltHexText: "00" };
/** More bits than a digest has. */
const unreachable = { kind: "at-least", bits: 513 } as const;

/**
 * Measures processor time, which other programs do not stretch as they stretch elapsed time: the median of some runs of
 * node:crypto on this thread, then the mean of the solver on all of its threads. Nothing else may run in either process.
 *
 * @throws the reason of the interruption
 */
export async function measureSpeed(solver: Solver, interruption: AbortSignal): Promise<SpeedHere> {
  const nodeCryptoMs = medianCpuMs(nodeCryptoRuns, (run) => powDigestSync({ ...input, nonce: String(run) }));
  const { workers: threads } = solver.stats();
  // The first search starts the process, which calibrates.
  await tryNonces(solver, 4 * threads, interruption);
  const before = solver.stats();
  const startedMs = performance.now();
  while (performance.now() - startedMs < solverDurationMs) {
    await tryNonces(solver, 8 * threads, interruption);
  }
  const after = solver.stats();
  const digests = after.digests - before.digests;
  const busyMs = after.busyMs - before.busyMs;
  const usedMs = after.cpuMs - before.cpuMs;
  return {
    nodeCryptoMs,
    solverMs: usedMs / digests,
    threads,
    hashesPerSecond: (1000 * threads * digests) / busyMs,
    shareWithoutCore: Math.max(0, 1 - usedMs / busyMs),
  };
}

function medianCpuMs(count: number, work: (run: number) => unknown): number {
  work(-1);
  const times = Array.from({ length: count }, (_, run) => {
    const before = process.cpuUsage();
    work(run);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN;
}

async function tryNonces(solver: Solver, limitTries: number, signal: AbortSignal): Promise<void> {
  try {
    await solver.search({ ...input, accept: unreachable, limitTries, signal });
  } catch (error) {
    // This search always ends at its limit.
    if (!(error instanceof InconclusiveError) || error.code !== "precondition-missing") throw error;
  }
}
