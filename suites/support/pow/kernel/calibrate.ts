import { scryptSync } from "node:crypto";
import { isOptimizedAtOnce } from "./v8-flags.ts";
import { lanesOf, type Form } from "./row-functions.ts";
import { createKernel, type KernelInput, type KernelOptions, type ScryptKernel } from "./scrypt-kernel.ts";

/** Fastest on Zen 5 of those that need no AVX2; on Zen 4 three took an eighth less time. */
export const defaultForm: Form = { chains: 4, width: 1 };

/** What calibration chooses from: one chain alone is never the fastest. */
export const candidateForms: readonly Form[] = [
  // The longest code first, for V8s that optimize while it runs.
  { chains: 4, width: 2 },
  { chains: 3, width: 2 },
  { chains: 2, width: 2 },
  defaultForm,
  { chains: 3, width: 1 },
  { chains: 2, width: 1 },
];

export interface Calibration {
  /** The fastest of those that were right, or {@link defaultForm} where the time was too short to tell; null where none was. */
  form: Form | null;
  /** How often all were tried. */
  rounds: number;
  /** Best time of each form for one hash with the trial's small N; Infinity for one that was not tried. */
  trials: { form: Form; isRight: boolean; msPerHash: number }[];
}

export interface CalibrationOptions {
  /** Compiling included; the round under way when it ends, of few milliseconds, is finished. */
  budgetMs?: number;
  makeKernel?: (options: KernelOptions) => ScryptKernel;
}

// 1/32 of the service's N: four lanes fill 2 MiB, more than most second-level caches, and a round takes about ten milliseconds.
const trialN = 512;
// Where V8 optimizes while the code runs, the first rounds say nothing; on a busy machine there may be no others.
const roundsToTell = isOptimizedAtOnce ? 1 : 6;

/**
 * Which form of the kernel is fastest on this processor now. All are tried in turn until the time is over, and the best of
 * each counts, because any trial may be interrupted.
 *
 * A form counts only when node:crypto agrees with each of its lanes: some rest on an experimental part of V8's compiler.
 *
 * @param memory - shared with the kernel that is made afterwards, so that the trials cost none of their own
 */
export function calibrate(
  memory: WebAssembly.Memory,
  { budgetMs = 150, makeKernel = createKernel }: CalibrationOptions = {},
): Calibration {
  const endMs = performance.now() + budgetMs;
  const expected = trialInputs.map(({ password, salt, dkLen }) =>
    scryptSync(password, salt, dkLen, { N: trialN, r: 8, p: 1 }),
  );
  const trials = candidateForms.map((form) => {
    const kernel = makeKernel({ form, N: trialN, memory });
    return { form, kernel, isRight: isRight(kernel, expected), msPerHash: Infinity };
  });
  const right = trials.filter((trial) => trial.isRight);
  let rounds = 0;
  do {
    for (const trial of right) {
      const startedMs = performance.now();
      const lanes = lanesOf(trial.form);
      trial.kernel.digests(trialInputs.slice(0, lanes));
      trial.msPerHash = Math.min(trial.msPerHash, (performance.now() - startedMs) / lanes);
    }
    rounds += 1;
  } while (performance.now() < endMs);
  const [fastest] = right.toSorted((a, b) => a.msPerHash - b.msPerHash);
  const choose = (): Form | null => {
    if (fastest === undefined) return null;
    return rounds < roundsToTell ? defaultForm : fastest.form;
  };
  return {
    form: choose(),
    rounds,
    trials: trials.map(({ form, isRight: agrees, msPerHash }) => ({ form, isRight: agrees, msPerHash })),
  };
}

const trialInputs: readonly KernelInput[] = Array.from(
  { length: Math.max(...candidateForms.map(lanesOf)) },
  (_, lane) => ({ password: Uint8Array.of(lane), salt: Uint8Array.of(), dkLen: 32 }),
);

function isRight(kernel: ScryptKernel, expected: readonly Buffer[]): boolean {
  const digests = kernel.digests(trialInputs.slice(0, kernel.lanes));
  return digests.every((digest, lane) => expected[lane]?.equals(digest) === true);
}
