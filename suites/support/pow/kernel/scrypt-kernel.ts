import { pbkdf2Sync } from "node:crypto";
import { naturalWord, scryptPlan, type RoundPlan } from "./round-plan.ts";
import { lanesOf, placeInRow, rowBytes, type Form } from "./row-functions.ts";
import { layoutOf, pagesFor, scryptModule } from "./scrypt-module.ts";

/** What the kernel computes, and is proved to: one module for each form and r, any N. */
export const kernelBounds = {
  chains: { min: 1, max: 4 },
  r: { min: 1, max: 8 },
  N: { min: 2, max: 16_384 },
  p: 1,
};

export interface KernelOptions {
  form: Form;
  /** A power of two. */
  N?: number;
  r?: number;
  /** Used by kernels that share it in turn; grown to what this one needs, `lanes * N * r * 128` bytes and two rows. */
  memory?: WebAssembly.Memory;
  /** Other than scrypt's only to show that a wrong one is noticed. */
  plan?: RoundPlan;
}

export interface KernelInput {
  password: Uint8Array;
  salt: Uint8Array;
  /** Output bytes. */
  dkLen: number;
}

export interface ScryptKernel {
  /** Hashes computed at once. */
  readonly lanes: number;
  /**
   * scrypt (RFC 7914 §6) with the kernel's N and r and p = 1, on the calling thread. It takes as long for one as for all lanes.
   *
   * @param inputs - one to `lanes`
   */
  digests(inputs: readonly KernelInput[]): Uint8Array[];
}

/** Whether this engine has the 128-bit vectors that the kernel is made of. */
export function isKernelSupported(): boolean {
  // Without a just-in-time compiler there is no WebAssembly at all.
  return (
    typeof WebAssembly !== "undefined" &&
    WebAssembly.validate(scryptModule({ chains: 1, width: 1, r: 1, plan: scryptPlan }))
  );
}

/** @throws {RangeError} outside {@link kernelBounds}, or when the system refuses the memory */
export function createKernel(options: KernelOptions): ScryptKernel {
  const { form, N = 16_384, r = 8, plan = scryptPlan } = options;
  requireWithin("chains", form.chains);
  requireWithin("r", r);
  requireWithin("N", N);
  if ((N & (N - 1)) !== 0)
    throw new RangeError(`the scrypt kernel needs a power of two as N, and was given ${N}`);
  const shape = { ...form, r, plan };
  const lanes = lanesOf(form);
  const memory = options.memory ?? new WebAssembly.Memory({ initial: pagesFor(shape, N) });
  const pagesMissing = pagesFor(shape, N) - memory.buffer.byteLength / 65_536;
  if (pagesMissing > 0) memory.grow(pagesMissing);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(scryptModule(shape)), {
    env: { memory },
  });
  const mix = exports["mix"];
  if (!isMix(mix)) throw new TypeError("the scrypt module does not export mix");
  const { table, result } = layoutOf(shape);
  const bytes = rowBytes(shape);
  const words = Array.from({ length: bytes / wordBytes }, (_, place) => ({
    place,
    natural: naturalWord(place, plan),
  }));

  return {
    lanes,
    digests(inputs) {
      if (inputs.length < 1 || inputs.length > lanes) {
        throw new RangeError(
          `the scrypt kernel computes 1 to ${lanes} hashes at once, and was given ${inputs.length}`,
        );
      }
      // Anew each time: growing the memory detaches its former buffer. Words are moved and never read as numbers: it holds
      // on machines of either byte order.
      const held = new Uint32Array(memory.buffer);
      const wordAt = (start: number, lane: number, place: number): number =>
        (start + placeInRow(shape, lane, wordBytes * place)) / wordBytes;
      for (const [lane, { password, salt }] of inputs.entries()) {
        const row = wordsOf(pbkdf2Sync(password, salt, 1, bytes, "sha256"));
        for (const { place, natural } of words) held[wordAt(table, lane, place)] = row[natural] ?? 0;
      }
      mix(N);
      return inputs.map(({ password, dkLen }, lane) => {
        const row = new Uint32Array(words.length);
        for (const { place, natural } of words) row[natural] = held[wordAt(result, lane, place)] ?? 0;
        return pbkdf2Sync(password, row, 1, dkLen, "sha256");
      });
    },
  };
}

const wordBytes = 4;

function wordsOf(row: Buffer): Uint32Array {
  return new Uint32Array(row.buffer, row.byteOffset, row.length / wordBytes);
}

function isMix(exported: unknown): exported is (N: number) => void {
  return typeof exported === "function";
}

function requireWithin(name: "chains" | "r" | "N", value: number): void {
  const { min, max } = kernelBounds[name];
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`the scrypt kernel takes ${min} to ${max} as ${name}, and was given ${value}`);
}
