import { signed, unsigned, type Code } from "./wasm-encoder.ts";

// Opcodes: WebAssembly Core 2.0 §5.4. The operands of an instruction come before its opcode, so these compose like expressions.

export type Local = number;

export const getLocal = (local: Local): Code => [0x20, unsigned(local)];
export const setLocal = (local: Local, value: Code): Code => [value, 0x21, unsigned(local)];

export const i32 = {
  const: (value: number): Code => [0x41, signed(value)],
  add: (left: Code, right: Code): Code => [left, right, 0x6a],
  multiply: (left: Code, right: Code): Code => [left, right, 0x6c],
  and: (left: Code, right: Code): Code => [left, right, 0x71],
  isLess: (left: Code, right: Code): Code => [left, right, 0x49],
  /** @param offset - constant, added to the address, in bytes */
  load: (address: Code, offset = 0): Code => [address, 0x28, 2, unsigned(offset)],
};

/** Vectors of four 32-bit words. */
export const vec = {
  /** @param address - in bytes; with the offset, a multiple of 16 */
  load: (address: Code, offset = 0): Code => [address, 0xfd, unsigned(0), 4, unsigned(offset)],
  store: (address: Code, offset: number, value: Code): Code => [
    address,
    value,
    0xfd,
    unsigned(11),
    4,
    unsigned(offset),
  ],
  xor: (left: Code, right: Code): Code => [left, right, 0xfd, unsigned(81)],
  add: (left: Code, right: Code): Code => [left, right, 0xfd, unsigned(174)],
  shiftLeft: (value: Code, bits: number): Code => [value, i32.const(bits), 0xfd, unsigned(171)],
  shiftRight: (value: Code, bits: number): Code => [value, i32.const(bits), 0xfd, unsigned(173)],
  /** Word `i` of the result is word `i + by` of the value, modulo 4. */
  rotateWords: (value: Local, by: number): Code => {
    const bytes = Array.from({ length: 16 }, (_, index) => (index + 4 * by) % 16);
    return [getLocal(value), getLocal(value), 0xfd, unsigned(13), bytes];
  },
};

/** A do-while loop: runs the body until the condition is zero. */
export function repeatWhile(body: Code, condition: Code): Code {
  const noResult = 0x40;
  return [0x03, noResult, body, condition, 0x0d, unsigned(0), 0x0b];
}

/** @param index - of the function in the module's list */
export function call(index: number, args: readonly Code[]): Code {
  return [args, 0x10, unsigned(index)];
}

export const drop = (value: Code): Code => [value, 0x1a];
