import { expect, test } from "vitest";
import { holds, type SearchCriterion } from "../support/pow/criteria.ts";
import { enoughOnlyAs, onlyBits, tooFewBits } from "./searches.ts";

// A criterion that no digest meets would be searched for without end.
const difficulties = Array.from({ length: 30 }, (_, at) => at + 1);

const bytes = 64;

/** Zero bits before nothing but ones. */
function zerosThenOnes(zeroBits: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => 0xff >> Math.min(8, Math.max(0, zeroBits - 8 * at)));
}

function leastSignificantZeros(zeroBits: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) =>
    Number.parseInt("1".repeat(8 - Math.min(8, Math.max(0, zeroBits - 8 * at))).padEnd(8, "0"), 2),
  );
}

function meets(criterion: SearchCriterion, digest: Uint8Array): boolean {
  return holds(criterion, () => digest);
}

test.for(difficulties)("at difficulty %i a digest proves nothing in any way of counting", (bits) => {
  expect(meets({ all: tooFewBits(bits) }, zerosThenOnes(0))).toBe(true);
});

test.for(difficulties)(
  "at difficulty %i a digest is short by one bit, and by no other mistake enough",
  (bits) => {
    expect(meets(onlyBits(bits - 1, bits), zerosThenOnes(bits - 1))).toBe(true);
    expect(meets(onlyBits(bits - 1, bits), zerosThenOnes(bits))).toBe(false);
  },
);

test.for(difficulties.filter((bits) => bits % 8 !== 0))(
  "at difficulty %i a digest is enough in the other bit order alone",
  (bits) => {
    expect(meets(enoughOnlyAs("lsb", bits), leastSignificantZeros(bits))).toBe(true);
    expect(meets(enoughOnlyAs("lsb", bits), zerosThenOnes(bits))).toBe(false);
  },
);

test.for(difficulties)("at difficulty %i a digest is enough from its end alone", (bits) => {
  expect(meets(enoughOnlyAs("tail", bits), zerosThenOnes(bits).toReversed())).toBe(true);
  expect(meets(enoughOnlyAs("tail", bits), zerosThenOnes(bits))).toBe(false);
});

test.for(difficulties)("at difficulty %i a digest is enough as a little-endian word alone", (bits) => {
  const word = zerosThenOnes(bits).slice(0, 4).toReversed();
  const digest = Uint8Array.from([...word, ...zerosThenOnes(0).slice(4)]);
  expect(meets(enoughOnlyAs("word32-le", bits), digest)).toBe(true);
  expect(meets(enoughOnlyAs("word32-le", bits), zerosThenOnes(bits))).toBe(false);
});
