import { fillRow, lanesOf, mixRow, rowBytes, type Shape } from "./row-functions.ts";
import { encodeModule, type WasmFunction } from "./wasm-encoder.ts";
import { call, getLocal, i32, repeatWhile, setLocal } from "./wasm-instructions.ts";

/** Memory addresses, in bytes. The rows of all lanes are adjacent, so that one pointer is enough for them. */
export interface Layout {
  /** Size of one row of all lanes. */
  strideBytes: number;
  /** The second phase alternates between this row, which holds the result at the end, and the next. */
  result: number;
  /** First row of the table, which holds the input at the start. */
  table: number;
}

export function layoutOf(shape: Shape): Layout {
  const strideBytes = lanesOf(shape) * rowBytes(shape);
  return { strideBytes, result: 0, table: 2 * strideBytes };
}

/** Memory that a module needs for N table rows, in pages of 64 KiB. */
export function pagesFor(shape: Shape, N: number): number {
  const { table, strideBytes } = layoutOf(shape);
  return Math.ceil((table + N * strideBytes) / 65_536);
}

/**
 * The bytes of a module that exports `mix(N)`: scryptROMix (RFC 7914 §5) of every lane at once, from the first row of the
 * table to the result row, in diagonal order. N is a power of two of at least 2; the memory must be large enough for it.
 *
 * `fillRow` and `mixRow` compute one row and are called N times, because V8 replaces baseline code by optimized code between
 * two calls of a function, never during one.
 */
export function scryptModule(shape: Shape): Uint8Array<ArrayBuffer> {
  const layout = layoutOf(shape);
  return encodeModule([fillRow(shape), mixRow(shape, layout), mix(layout)], pagesFor(shape, 2));
}

function mix({ strideBytes, result, table }: Layout): WasmFunction {
  const [fillRowIndex, mixRowIndex] = [0, 1];
  const [N, row, last, mask] = [0, 1, 2, 3];
  const other = result + strideBytes;
  return {
    params: ["i32"],
    locals: ["i32", "i32", "i32"],
    exportAs: "mix",
    body: [
      setLocal(mask, i32.add(getLocal(N), i32.const(-1))),
      setLocal(row, i32.const(table)),
      setLocal(last, i32.add(i32.const(table), i32.multiply(getLocal(mask), i32.const(strideBytes)))),
      repeatWhile(
        [
          call(fillRowIndex, [getLocal(row), i32.add(getLocal(row), i32.const(strideBytes)), getLocal(mask)]),
          setLocal(row, i32.add(getLocal(row), i32.const(strideBytes))),
        ],
        i32.isLess(getLocal(row), getLocal(last)),
      ),
      call(fillRowIndex, [getLocal(row), i32.const(result), getLocal(mask)]),
      repeatWhile(
        [
          call(mixRowIndex, [i32.const(result), i32.const(other), getLocal(mask)]),
          call(mixRowIndex, [i32.const(other), i32.const(result), getLocal(mask)]),
          setLocal(N, i32.add(getLocal(N), i32.const(-2))),
        ],
        getLocal(N),
      ),
    ],
  };
}
