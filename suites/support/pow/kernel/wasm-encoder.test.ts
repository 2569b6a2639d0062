import { expect, test } from "vitest";
import { encodeModule, signed, unsigned } from "./wasm-encoder.ts";
import { getLocal, i32, setLocal, vec } from "./wasm-instructions.ts";

test.for([
  { value: 0, bytes: [0] },
  { value: 127, bytes: [0x7f] },
  { value: 128, bytes: [0x80, 0x01] },
  // The example of Wikipedia.
  { value: 624_485, bytes: [0xe5, 0x8e, 0x26] },
  { value: 0xffff_ffff, bytes: [0xff, 0xff, 0xff, 0xff, 0x0f] },
])("unsigned $value is encoded as $bytes", ({ value, bytes }) => {
  expect(unsigned(value)).toEqual(bytes);
});

test.for([
  { value: 63, bytes: [0x3f], why: "bit 6 is free" },
  { value: 64, bytes: [0xc0, 0x00], why: "bit 6 would read as a sign" },
  { value: -1, bytes: [0x7f], why: "all bits set" },
  { value: -123_456, bytes: [0xc0, 0xbb, 0x78], why: "the example of Wikipedia" },
])("signed $value is encoded as $bytes ($why)", ({ value, bytes }) => {
  expect(signed(value)).toEqual(bytes);
});

test("a module adds 1 to 4 to four words, and shifts and rotates them", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const words = new Uint32Array(memory.buffer, 0, 8);
  const change = {
    params: ["i32"],
    locals: ["v128"],
    exportAs: "change",
    body: [
      setLocal(1, vec.add(vec.load(getLocal(0)), vec.load(i32.const(16)))),
      vec.store(getLocal(0), 16, vec.rotateWords(1, 1)),
      vec.store(getLocal(0), 0, vec.xor(vec.shiftLeft(getLocal(1), 28), vec.shiftRight(getLocal(1), 4))),
    ],
  } as const;
  words.set([0x10, 0x20, 0x30, 0x40, 1, 2, 3, 4]);
  const module = new WebAssembly.Module(encodeModule([change], 1));
  const run = new WebAssembly.Instance(module, { env: { memory } }).exports["change"];
  if (typeof run === "function") run(0);
  expect([...words]).toEqual([0x1000_0001, 0x2000_0002, 0x3000_0003, 0x4000_0004, 0x22, 0x33, 0x44, 0x11]);
});
