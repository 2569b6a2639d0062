/** What the kernel uses of WebAssembly's JavaScript interface; neither ES2024's nor node's own types declare it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    /** In pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    /** @returns the pages before */
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Record<string, unknown>;
  }
  /** Whether this engine would compile the bytes: false also where it lacks an instruction that they use. */
  function validate(bytes: Uint8Array): boolean;
}
