import { scryptDigestSync, type ScryptInput } from "../scrypt-digest.ts";
import { calibrate, candidateForms } from "./calibrate.ts";
import type { Form } from "./row-functions.ts";
import { createKernel, isKernelSupported, kernelBounds, type ScryptKernel } from "./scrypt-kernel.ts";

/** scrypt on the calling thread, several hashes at once where that is faster. */
export interface DigestEngine {
  /** Inputs that one call takes best. */
  readonly lanes: number;
  /** Any parameters: the kernel computes the service's, node:crypto all others. */
  digests(inputs: readonly ScryptInput[]): Uint8Array[];
}

/** Which of the {@link candidateForms}, counted from 1: the threads of a process share it, one calibrates and the others wait. */
export type SharedChoice = Int32Array<SharedArrayBuffer>;

const undecided = 0;
const underWay = -1;
const noneIsRight = -2;

export function createSharedChoice(): SharedChoice {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Without WebAssembly's vectors, or where no kernel is right, node:crypto: it is faster than every scalar library for WebAssembly or JavaScript. */
export function startDigestEngine(choice: SharedChoice = createSharedChoice()): DigestEngine {
  if (!isKernelSupported()) return nodeEngine;
  try {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const form = chooseForm(choice, memory);
    return form === null ? nodeEngine : kernelEngine(createKernel({ form, memory }));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.emitWarning(
      `the proof-of-work solver goes on with node:crypto: no memory for its kernel: ${error.message}`,
    );
    return nodeEngine;
  }
}

/** Calibrates for all threads that share the choice, so that their engines need not: meant for while they start. */
export function decideForm(choice: SharedChoice): void {
  if (!isKernelSupported()) return;
  try {
    chooseForm(choice, new WebAssembly.Memory({ initial: 1 }));
  } catch (error) {
    // No memory: the threads find out for themselves, and warn.
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
      const made = new Map<ScryptInput, Uint8Array>();
      const suited = inputs.filter(isServiceCost);
      for (let start = 0; start < suited.length; start += lanes) {
        const batch = suited.slice(start, start + lanes);
        // The kernel takes as long for one as for all; less than a third full, node:crypto is done sooner.
        const digests = (batch.length * 3 < lanes ? nodeEngine : kernel).digests(batch);
        for (const [index, digest] of digests.entries()) {
          const input = batch[index];
          if (input !== undefined) made.set(input, digest);
        }
      }
      return inputs.map((input) => made.get(input) ?? scryptDigestSync(input));
    },
  };
}

function isServiceCost({ N, r, p }: ScryptInput): boolean {
  return N === kernelBounds.N.max && r === kernelBounds.r.max && p === kernelBounds.p;
}

function chooseForm(choice: SharedChoice, memory: WebAssembly.Memory): Form | null {
  if (Atomics.compareExchange(choice, 0, undecided, underWay) === underWay) {
    // Bounded, in case the thread that calibrates was ended.
    Atomics.wait(choice, 0, underWay, 400);
  }
  const known = Atomics.load(choice, 0);
  if (known > 0) return candidateForms[known - 1] ?? null;
  if (known === noneIsRight) return null;
  const { form } = calibrate(memory);
  Atomics.store(choice, 0, form === null ? noneIsRight : candidateForms.indexOf(form) + 1);
  Atomics.notify(choice, 0);
  return form;
}
