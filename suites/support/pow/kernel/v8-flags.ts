/** Makes V8 read a module's custom section `compilationHints`, which says how and when to compile its functions. */
const hints = "--experimental-wasm-compilation-hints";

/** Merges two adjacent 128-bit operations into a 256-bit one, on processors with AVX2. */
const revectorize = "--experimental-wasm-revectorize";

/**
 * For the command line of a process that runs kernels, because V8 does not support changing its flags later. Both are
 * experimental, so they are set only for the V8 version (Node.js 24) and the architecture on which the kernels were tested;
 * elsewhere the kernels are slower. Calibration checks every kernel against node:crypto in any case.
 *
 * `--no-liftoff` and `--no-wasm-lazy-compilation` could replace the hints, but they also apply to Node's type stripper, which
 * is WebAssembly: the process started in 3.1 s instead of 0.15 s (measured 2026-11).
 */
export const kernelFlags: readonly string[] =
  process.versions.v8.startsWith("13.6.") && process.arch === "x64" ? [hints, revectorize] : [];

/** Whether V8 optimizes kernels before their first call in this process, instead of in the background. */
export const isOptimizedAtOnce = process.execArgv.includes(hints);
