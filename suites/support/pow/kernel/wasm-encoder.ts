/** The bytes of one or more instructions; nested, because an operation contains its operands. */
export type Code = number | readonly Code[];

/** Value types by their byte (WebAssembly Core 2.0 §5.3). */
const valueType = { i32: 0x7f, v128: 0x7b } as const;
export type ValueType = keyof typeof valueType;

export interface WasmFunction {
  /** Parameters and locals are numbered together, parameters first. */
  params: readonly ValueType[];
  locals: readonly ValueType[];
  body: Code;
  exportAs?: string;
}

/** @returns unsigned LEB128 (WebAssembly Core 2.0 §5.2.2) */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** @returns signed LEB128 of a 32-bit integer */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isSignKept = (low & 0x40) === 0 ? rest === 0 : rest === -1;
    if (isSignKept) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

/**
 * The bytes of a module that imports a memory as `env.memory` (WebAssembly Core 2.0 §5.5). Functions have no results, and
 * call each other by their index in the list.
 *
 * @param memoryPages - minimum size of the imported memory, in pages of 64 KiB
 */
export function encodeModule(
  functions: readonly WasmFunction[],
  memoryPages: number,
): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params }) => [0x60, vector(params.map((type) => valueType[type])), 0]);
  const importedMemory = [name("env"), name("memory"), 0x02, 0x00, unsigned(memoryPages)];
  const exported = functions.flatMap(({ exportAs }, index) =>
    exportAs === undefined ? [] : [[name(exportAs), 0x00, unsigned(index)]],
  );
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  return Uint8Array.from(
    flatten([
      magicAndVersion,
      section(1, vector(types)),
      section(2, vector([importedMemory])),
      section(3, vector(functions.map((_, index) => unsigned(index)))),
      section(7, vector(exported)),
      section(0, [name("compilationHints"), vector(functions.map(() => optimizedAtOnce))]),
      section(10, vector(functions.map(functionBody))),
    ]),
  );
}

/**
 * The hint for one function, from the lowest bits: compile it eagerly (2), first with the optimizing compiler (2), and finally
 * too (2). V8 reads it with `--experimental-wasm-compilation-hints`; without the flag, and in other engines, the section has
 * no effect. Baseline code is about four times as slow until V8 replaces it, and calibration would have to wait for that.
 */
const optimizedAtOnce = 2 | (2 << 2) | (2 << 4);

function functionBody({ locals, body }: WasmFunction): Code {
  const end = 0x0b;
  const declarations = locals.map((type) => [unsigned(1), valueType[type]]);
  return sized([vector(declarations), body, end]);
}

function section(id: number, content: Code): Code {
  return [id, sized(content)];
}

function vector(items: readonly Code[]): Code {
  return [unsigned(items.length), items];
}

function name(text: string): Code {
  return sized([...new TextEncoder().encode(text)]);
}

/** Prefixed with its length in bytes. */
function sized(content: Code): Code {
  const bytes = flatten(content);
  return [unsigned(bytes.length), bytes];
}

function flatten(code: Code): number[] {
  const bytes: number[] = [];
  const append = (part: Code): void => {
    if (typeof part === "number") bytes.push(part);
    else part.forEach(append);
  };
  append(code);
  return bytes;
}
