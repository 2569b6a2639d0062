import { setFlagsFromString } from "node:v8";
import type { Form } from "./row-functions.ts";

/** Optimized before the first call. V8 otherwise starts with a quick compiler's code, and the choice among kernels takes longer. */
const optimizing = ["liftoff", "wasm-lazy-compilation"].map((flag) => ({
  start: `--no-${flag}`,
  end: `--${flag}`,
}));

/**
 * Makes one operation on 256 bits of the same two on neighbouring 128 bits, on processors with AVX2. Experimental: whoever
 * asks for it compares the digests.
 */
const widening = {
  start: "--experimental-wasm-revectorize",
  end: "--no-experimental-wasm-revectorize",
};

/**
 * Whether kernels are optimized from their first call on: in the V8 of Node.js 24, in which this was proved. Another may not
 * know the flags, and would complain on standard error.
 */
export const isOptimizedAtOnce = process.versions.v8.startsWith("13.6.");

/**
 * Compiles a kernel, blocking for some milliseconds. V8's flags belong to the process: they are back to their defaults when
 * this returns, and what another thread compiles meanwhile is compiled by them too. Two threads that compile at once may
 * undo each other's flags, which costs speed and nothing else.
 */
export function compileOptimized(bytes: Uint8Array, { width }: Form): WebAssembly.Module {
  const canWiden = process.arch === "x64" && width === 2;
  const flags = isOptimizedAtOnce ? [...optimizing, ...(canWiden ? [widening] : [])] : [];
  for (const { start } of flags) setFlagsFromString(start);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    for (const { end } of flags) setFlagsFromString(end);
  }
}
