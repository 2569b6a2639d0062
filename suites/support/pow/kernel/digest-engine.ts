import { scryptDigestSync, type ScryptInput } from "../scrypt-digest.ts";
import { calibrate, candidateForms } from "./calibrate.ts";
import type { Form } from "./row-functions.ts";
import { createKernel, isKernelSupported, kernelBounds, type ScryptKernel } from "./scrypt-kernel.ts";

/** scrypt on the calling thread, several hashes at once where that is faster. */
export interface DigestEngine {
  /** The number of inputs for which a call is most efficient. */
  readonly lanes: number;
  /** Accepts any parameters: the kernel computes those of the service, node:crypto all others. */
  digests(inputs: readonly ScryptInput[]): Uint8Array[];
}

/** Which of the {@link candidateForms} to use, counted from 1. Threads share it: one calibrates, and the others wait. */
export type SharedChoice = Int32Array<SharedArrayBuffer>;

const undecided = 0;
const inProgress = -1;
const noneCorrect = -2;

export function createSharedChoice(): SharedChoice {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Falls back to node:crypto, which is faster than any scalar WebAssembly or JavaScript, when no kernel works here. */
export function startDigestEngine(choice: SharedChoice = createSharedChoice()): DigestEngine {
  if (!isKernelSupported()) return nodeEngine;
  try {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const form = chooseForm(choice, memory);
    return form === null ? nodeEngine : kernelEngine(createKernel({ form, memory }));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.emitWarning(
      `the proof-of-work solver falls back to node:crypto: no memory for its kernel: ${error.message}`,
    );
    return nodeEngine;
  }
}

/** Calibrates for the threads that share the choice, while they start. */
export function chooseSharedForm(choice: SharedChoice): void {
  if (!isKernelSupported()) return;
  try {
    chooseForm(choice, new WebAssembly.Memory({ initial: 1 }));
  } catch (error) {
    // Not enough memory: the threads will fail likewise, and warn.
    if (!(error instanceof RangeError)) throw error;
  }
}

export const nodeEngine: DigestEngine = {
  lanes: 1,
  digests: (inputs) => inputs.map((input) => scryptDigestSync(input)),
};

export function kernelEngine(kernel: ScryptKernel): DigestEngine {
  const { lanes } = kernel;
  return {
    lanes,
    digests(inputs) {
      const computed = new Map<ScryptInput, Uint8Array>();
      const supported = inputs.filter(isServiceCost);
      for (let start = 0; start < supported.length; start += lanes) {
        const batch = supported.slice(start, start + lanes);
        // A kernel takes as long for one input as for all its lanes: node:crypto is faster for less than a third of them.
        const digests = (batch.length * 3 < lanes ? nodeEngine : kernel).digests(batch);
        for (const [index, digest] of digests.entries()) {
          const input = batch[index];
          if (input !== undefined) computed.set(input, digest);
        }
      }
      return inputs.map((input) => computed.get(input) ?? scryptDigestSync(input));
    },
  };
}

function isServiceCost({ N, r, p }: ScryptInput): boolean {
  return N === kernelBounds.N.max && r === kernelBounds.r.max && p === kernelBounds.p;
}

function chooseForm(choice: SharedChoice, memory: WebAssembly.Memory): Form | null {
  if (Atomics.compareExchange(choice, 0, undecided, inProgress) === inProgress) {
    // With a timeout, in case the calibrating thread failed.
    Atomics.wait(choice, 0, inProgress, 400);
  }
  const known = Atomics.load(choice, 0);
  if (known > 0) return candidateForms[known - 1] ?? null;
  if (known === noneCorrect) return null;
  const { form } = calibrate(memory);
  Atomics.store(choice, 0, form === null ? noneCorrect : candidateForms.indexOf(form) + 1);
  Atomics.notify(choice, 0);
  return form;
}
