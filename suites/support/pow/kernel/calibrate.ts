import { scryptSync } from "node:crypto";
import { isOptimizedAtOnce } from "./v8-flags.ts";
import { lanesOf, type Form } from "./row-functions.ts";
import { createKernel, type KernelInput, type KernelOptions, type ScryptKernel } from "./scrypt-kernel.ts";

/** The fastest without AVX2 on Zen 5; on Zen 4, three chains took an eighth less time. */
const defaultForm: Form = { chains: 4, width: 1 };

/** The forms to choose from; a single chain is never the fastest. */
export const candidateForms: readonly Form[] = [
  // The longest code first, so that a V8 that optimizes in the background starts early.
  { chains: 4, width: 2 },
  { chains: 3, width: 2 },
  { chains: 2, width: 2 },
  defaultForm,
  { chains: 3, width: 1 },
  { chains: 2, width: 1 },
];

export interface Calibration {
  /** The fastest correct form; {@link defaultForm} when there was too little time to tell; null when none is correct. */
  form: Form | null;
  /** How often each form was timed. */
  rounds: number;
  /** Best time per hash, with a small N; Infinity for a form that is not correct. */
  trials: { form: Form; isCorrect: boolean; msPerHash: number }[];
}

export interface CalibrationOptions {
  /** Includes compiling. The current round, of some milliseconds, is finished when it is over. */
  budgetMs?: number;
  makeKernel?: (options: KernelOptions) => ScryptKernel;
}

// 1/32 of the service's N: four lanes use 2 MiB, more than most second-level caches, and a trial takes about 2 ms.
const trialN = 512;
// Where V8 optimizes in the background, the first rounds run baseline code; on a busy machine there may be no others.
const minRounds = isOptimizedAtOnce ? 1 : 6;

/**
 * Finds the fastest form on this processor. Times all forms in turn until the time is up, and compares their best times,
 * because other programs may disturb any single trial.
 *
 * A form is used only if node:crypto agrees with each of its lanes: some depend on an experimental part of V8's compiler.
 *
 * @param memory - of the kernel that is created afterwards, so that the trials need none of their own
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
    return { form, kernel, isCorrect: agrees(kernel, expected), msPerHash: Infinity };
  });
  const correct = trials.filter((trial) => trial.isCorrect);
  let rounds = 0;
  do {
    for (const trial of correct) {
      const startedMs = performance.now();
      const lanes = lanesOf(trial.form);
      trial.kernel.digests(trialInputs.slice(0, lanes));
      trial.msPerHash = Math.min(trial.msPerHash, (performance.now() - startedMs) / lanes);
    }
    rounds += 1;
  } while (performance.now() < endMs);
  const [fastest] = correct.toSorted((a, b) => a.msPerHash - b.msPerHash);
  const choose = (): Form | null => {
    if (fastest === undefined) return null;
    return rounds < minRounds ? defaultForm : fastest.form;
  };
  return {
    form: choose(),
    rounds,
    trials: trials.map(({ form, isCorrect, msPerHash }) => ({ form, isCorrect, msPerHash })),
  };
}

const trialInputs: readonly KernelInput[] = Array.from(
  { length: Math.max(...candidateForms.map(lanesOf)) },
  (_, lane) => ({ password: Uint8Array.of(lane), salt: Uint8Array.of(), dkLen: 32 }),
);

function agrees(kernel: ScryptKernel, expected: readonly Buffer[]): boolean {
  const digests = kernel.digests(trialInputs.slice(0, kernel.lanes));
  return digests.every((digest, lane) => expected[lane]?.equals(digest) === true);
}
