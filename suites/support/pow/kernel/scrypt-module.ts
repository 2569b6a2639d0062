import { fillRow, lanesOf, mixRow, rowBytes, type Shape } from "./row-functions.ts";
import { encodeModule, type WasmFunction } from "./wasm-encoder.ts";
import { call, getLocal, i32, repeatWhile, setLocal } from "./wasm-instructions.ts";

/** Where things are in the memory, in bytes. Rows of the lanes stand together, so that one pointer reaches them all. */
export interface Layout {
  /** One row of every lane. */
  strideBytes: number;
  /** The second phase goes back and forth between this row of every lane, where the result ends, and the next. */
  result: number;
  /** First row of the table; the input goes here. */
  table: number;
}

export function layoutOf(shape: Shape): Layout {
  const strideBytes = lanesOf(shape) * rowBytes(shape);
  return { strideBytes, result: 0, table: 2 * strideBytes };
}

/** Pages of 64 KiB that hold the table of N rows and what stands before it. */
export function pagesFor(shape: Shape, N: number): number {
  const { table, strideBytes } = layoutOf(shape);
  return Math.ceil((table + N * strideBytes) / 65_536);
}

/**
 * The bytes of a module that exports `mix(N)`: scryptROMix (RFC 7914 §5) of every lane at once, from the first row of the
 * table to the result row, in diagonal order. N is a power of two from 2; the memory must have room for it.
 *
 * Filling and looking up are functions of one row each, called N times: V8 starts with its quick compiler, and puts
 * optimized code in a function's place between two calls, never within one.
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
