import { createKernel, kernelBounds } from "./scrypt-kernel.ts";

export interface Calibration {
  /** The fastest, or {@link defaultLanes} when the time was too short to tell. */
  lanes: number;
  /** How often all were tried. */
  rounds: number;
  /** Best time of each number of lanes for one hash with the trial's small N; Infinity for one that was not reached. */
  trials: { lanes: number; msPerHash: number }[];
}

/** Fastest on Zen 5; on Zen 4 three took an eighth less time. */
export const defaultLanes = 4;

// 1/32 of the service's N: four lanes fill 2 MiB, more than most second-level caches, and a round takes few milliseconds.
const trialN = 512;
// The first rounds run what V8's quick compiler made, which says nothing; on a busy machine there may be no others.
const roundsToTell = 6;

/**
 * Which number of lanes is fastest on this processor now. All are tried in turn until the time is over, and the best of each
 * counts, because any trial may be interrupted.
 *
 * @param memory - shared with the kernel that is made afterwards, so that the trials cost none of their own
 * @param budgetMs - compiling included; the trial under way when it ends is finished
 */
export function calibrate(memory: WebAssembly.Memory, budgetMs = 150): Calibration {
  const endMs = performance.now() + budgetMs;
  const { min, max } = kernelBounds.lanes;
  // Most lanes first: theirs is the longest code, and its optimized version comes last.
  const trials = Array.from({ length: max - min + 1 }, (_, index) => {
    const lanes = max - index;
    return { kernel: createKernel({ lanes, N: trialN, memory }), lanes, msPerHash: Infinity };
  });
  const input = { password: Uint8Array.of(), salt: Uint8Array.of(), dkLen: 32 };
  let rounds = 0;
  while (performance.now() < endMs) {
    for (const trial of trials) {
      const startedMs = performance.now();
      if (startedMs >= endMs) break;
      trial.kernel.digests(Array.from({ length: trial.lanes }, () => input));
      trial.msPerHash = Math.min(trial.msPerHash, (performance.now() - startedMs) / trial.lanes);
    }
    rounds += 1;
  }
  const [fastest] = trials.toSorted((a, b) => a.msPerHash - b.msPerHash);
  const lanes = fastest === undefined || rounds < roundsToTell ? defaultLanes : fastest.lanes;
  return {
    lanes,
    rounds,
    trials: trials.map((trial) => ({ lanes: trial.lanes, msPerHash: trial.msPerHash })),
  };
}
