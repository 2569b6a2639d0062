/** Lets a module's custom section `compilationHints` say which of V8's compilers makes its functions, and when. */
const hints = "--experimental-wasm-compilation-hints";

/** Packs two operations on neighbouring 128 bits into one on 256, on processors with AVX2. */
const packing = "--experimental-wasm-revectorize";

/**
 * For the command line of a process that computes kernels: V8's flags must not change once it runs. Both are experimental,
 * so they are set only in the V8 and on the processors for which the kernels were proved, and every kernel's digests are
 * compared before it is used. Elsewhere there are none, and the kernels are slower.
 *
 * `--no-liftoff` would do for the hints, but it also compiles the WebAssembly that strips types in Node.js: the process then
 * starts in 3.1 s instead of 0.15 s (measured 2026-11).
 */
export const kernelFlags: readonly string[] =
  process.versions.v8.startsWith("13.6.") && process.arch === "x64" ? [hints, packing] : [];

/** Whether V8 optimizes kernels before their first call in this process; otherwise it does so while they run. */
export const isOptimizedAtOnce = process.execArgv.includes(hints);
