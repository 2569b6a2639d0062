import { pbkdf2Sync } from "node:crypto";
import { naturalWord, scryptPlan, type RoundPlan } from "./round-plan.ts";
import { lanesOf, offsetInRow, rowBytes, type Form } from "./row-functions.ts";
import { layoutOf, pagesFor, scryptModule } from "./scrypt-module.ts";

/** The parameters that the kernel supports and is tested for. */
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
  /** Kernels can share it if they take turns; it grows to what this one needs: `lanes * (N + 2) * r * 128` bytes. */
  memory?: WebAssembly.Memory;
  /** Only tests that prove wrong plans to be caught use another than scrypt's. */
  plan?: RoundPlan;
}

export interface KernelInput {
  password: Uint8Array;
  salt: Uint8Array;
  /** Output bytes. */
  dkLen: number;
}

export interface ScryptKernel {
  /** Hashes per call. */
  readonly lanes: number;
  /**
   * scrypt (RFC 7914 §6) with the kernel's N and r and with p = 1, on the calling thread. One input takes as long as `lanes`.
   *
   * @param inputs - 1 to `lanes`
   */
  digests(inputs: readonly KernelInput[]): Uint8Array[];
}

/** Whether this engine supports the 128-bit vectors that the kernel needs. */
export function isKernelSupported(): boolean {
  // Node.js has no WebAssembly when V8 runs without its just-in-time compiler.
  return (
    typeof WebAssembly !== "undefined" &&
    WebAssembly.validate(scryptModule({ chains: 1, width: 1, r: 1, plan: scryptPlan }))
  );
}

/** @throws {RangeError} for parameters outside {@link kernelBounds}, or when there is not enough memory */
export function createKernel(options: KernelOptions): ScryptKernel {
  const { form, N = 16_384, r = 8, plan = scryptPlan } = options;
  requireWithin("chains", form.chains);
  requireWithin("r", r);
  requireWithin("N", N);
  if ((N & (N - 1)) !== 0) throw new RangeError(`the scrypt kernel needs a power of two as N, got ${N}`);
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
  const words = Array.from({ length: bytes / wordBytes }, (_, index) => ({
    index,
    natural: naturalWord(index, plan),
  }));

  return {
    lanes,
    digests(inputs) {
      if (inputs.length < 1 || inputs.length > lanes) {
        throw new RangeError(`the scrypt kernel computes 1 to ${lanes} hashes at once, got ${inputs.length}`);
      }
      // A new view for each call, because growing the memory detaches its buffer. Words are only moved, so the byte order of
      // the machine does not matter.
      const view = new Uint32Array(memory.buffer);
      const wordAt = (start: number, lane: number, index: number): number =>
        (start + offsetInRow(shape, lane, wordBytes * index)) / wordBytes;
      for (const [lane, { password, salt }] of inputs.entries()) {
        const row = wordsOf(pbkdf2Sync(password, salt, 1, bytes, "sha256"));
        for (const { index, natural } of words) view[wordAt(table, lane, index)] = row[natural] ?? 0;
      }
      mix(N);
      return inputs.map(({ password, dkLen }, lane) => {
        const row = new Uint32Array(words.length);
        for (const { index, natural } of words) row[natural] = view[wordAt(result, lane, index)] ?? 0;
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
  throw new RangeError(`the scrypt kernel needs ${name} from ${min} to ${max}, got ${value}`);
}
