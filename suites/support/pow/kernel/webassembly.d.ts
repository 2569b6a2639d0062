/** The part of WebAssembly's JavaScript API that the kernel uses; the types of ES2024 and of Node.js do not include it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    /** In pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    /** @returns the previous size in pages */
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Record<string, unknown>;
  }
  /** Whether this engine can compile the bytes; false also when it does not support an instruction. */
  function validate(bytes: Uint8Array): boolean;
}
