import fc from "fast-check";
import { expect, test } from "vitest";
import vectors from "../../../fixtures/vectors/pow.json" with { type: "json" };
import { countZeroBits } from "./bit-counts.ts";
import { leadingZeroBits } from "./leading-zero-bits.ts";
import { propertySettings } from "./property-settings.ts";

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

test.for([
  { hex: "80", bits: 0, why: "top bit set" },
  { hex: "01", bits: 7, why: "least-significant-first would give 0" },
  { hex: "0010", bits: 11, why: "crosses a byte" },
  { hex: "00ff", bits: 8, why: "stops at the first one bit" },
  { hex: "00", bits: 8, why: "all zero" },
  { hex: "", bits: 0, why: "empty" },
])("0x$hex has $bits leading zero bits ($why)", ({ hex, bits }) => {
  expect(leadingZeroBits(bytesOf(hex))).toBe(bits);
});

test("leading zero bits are the length minus the bits of the big-endian integer", () => {
  const zeros = fc.uint8Array({ max: 0, maxLength: 40 });
  const rest = fc.uint8Array({ minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(zeros, rest, (start, end) => {
      const digest = Uint8Array.from([...start, ...end]);
      const integer = BigInt(`0x${Buffer.from(digest).toString("hex")}`);
      const significant = integer === 0n ? 0 : integer.toString(2).length;
      expect(leadingZeroBits(digest)).toBe(8 * digest.length - significant);
    }),
    propertySettings,
  );
});

test.for(vectors.digests)("$id: $why", ({ expected }) => {
  const digest = bytesOf(expected.digest);
  expect(leadingZeroBits(digest)).toBe(expected.msb);
  expect(countZeroBits(digest, "lsb")).toBe(expected.lsb);
  expect(countZeroBits(digest, "tail")).toBe(expected.tail);
  expect(leadingZeroBits(bytesOf(expected.decodedSaltDigest))).toBe(expected.decodedSaltMsb);
});

test.for([
  { hex: "0123456789abcdef01", counting: "word32-le", bits: 1, why: "67 leads" },
  {
    hex: "ffffff00ff00000000",
    counting: "word32-le",
    bits: 8,
    why: "bytes after the fourth are not read",
  },
  {
    hex: "ffffffff00000000ff",
    counting: "word64-le",
    bits: 32,
    why: "bytes after the eighth are not read",
  },
  { hex: "ffffffff0000000000", counting: "tail", bits: 40, why: "the whole digest from its end" },
  { hex: "8001", counting: "lsb", bits: 7, why: "the top bit of the first byte comes eighth" },
  { hex: "001f", counting: "nibbles", bits: 8, why: "11 bits are two whole digits" },
  { hex: "000f", counting: "nibbles", bits: 12, why: "three whole digits" },
  { hex: "000f", counting: "bytes", bits: 8, why: "one whole byte" },
] as const)("0x$hex counted by $counting has $bits zero bits ($why)", ({ hex, counting, bits }) => {
  expect(countZeroBits(bytesOf(hex), counting)).toBe(bits);
});
