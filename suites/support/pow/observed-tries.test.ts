import { expect, test } from "vitest";
import { expectedTries, shareWithin, triesForShare } from "./geometric-waits.ts";
import { compareTries, type ObservedWait } from "./observed-tries.ts";

/** Fractions of 1 from a fixed start (mulberry32), so that every run judges the same waits. */
function fractionsFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Tosses until the first hit: the definition, not the formula under test. */
function toss(difficultyBits: number, fraction: () => number): number {
  let tries = 1;
  while (fraction() >= 2 ** -difficultyBits) tries += 1;
  return tries;
}

function waits(
  count: number,
  { claimed, actual, start = 1 }: { claimed: number; actual: number; start?: number },
): ObservedWait[] {
  const fraction = fractionsFrom(start);
  return Array.from({ length: count }, () => ({ difficultyBits: claimed, tries: toss(actual, fraction) }));
}

test.for([
  { bits: 0, share: 0.99, tries: 1, why: "every try is a hit" },
  { bits: 1, share: 0.5, tries: 1, why: "a coin" },
  { bits: 1, share: 0.75, tries: 2, why: "two coins" },
  { bits: 4, share: 0.5, tries: 11, why: "(15/16)^11 is the first power below a half" },
  { bits: 12, share: 0.95, tries: 12_270, why: "ln 20 times 4096, a little less" },
])("$share of all searches for $bits bits end within $tries tries ($why)", ({ bits, share, tries }) => {
  expect(triesForShare(bits, share)).toBe(tries);
  expect(shareWithin(bits, tries)).toBeGreaterThanOrEqual(share);
  expect(shareWithin(bits, tries - 1)).toBeLessThan(share);
});

test("each bit doubles the mean", () => {
  expect([0, 1, 4, 10].map(expectedTries)).toEqual([1, 2, 16, 1024]);
});

test.for([1, 2, 3, 6, 10])("honest waits for %d bits are no surprise", (bits) => {
  const found = compareTries(waits(200, { claimed: bits, actual: bits }));
  expect(found).toMatchObject({ waits: 200, expectedTries: 200 * 2 ** bits, isSurprising: false });
});

test.for([
  { claimed: 6, actual: 5, why: "one bit easier than claimed" },
  { claimed: 6, actual: 7, why: "one bit harder than claimed" },
  { claimed: 4, actual: 8, why: "bits taken for something larger" },
])("$why is a surprise in 100 waits", ({ claimed, actual }) => {
  expect(compareTries(waits(100, { claimed, actual }))).toMatchObject({ isSurprising: true });
});

test("waits that are all alike are a surprise, though their mean is right", () => {
  const even = Array.from({ length: 100 }, () => ({ difficultyBits: 4, tries: 16 }));
  expect(compareTries(even)).toMatchObject({ observedTries: 1600, expectedTries: 1600, isSurprising: true });
});

test("of a thousand honest comparisons about one in twenty has a p-value below 0.05", () => {
  const pValues = Array.from({ length: 1000 }, (_, start) => {
    const found = compareTries(waits(60, { claimed: 3, actual: 3, start }));
    return found?.pValue ?? Number.NaN;
  });
  const low = pValues.filter((pValue) => pValue < 0.05).length;
  expect(low).toBeGreaterThan(25);
  expect(low).toBeLessThan(80);
  expect(pValues.filter((pValue) => Number.isNaN(pValue))).toEqual([]);
});

test("difficulties may be mixed", () => {
  const mixed = [...waits(40, { claimed: 2, actual: 2 }), ...waits(40, { claimed: 7, actual: 7 })];
  expect(compareTries(mixed)).toMatchObject({ expectedTries: 40 * 4 + 40 * 128, isSurprising: false });
  const halfWrong = [...waits(100, { claimed: 2, actual: 2 }), ...waits(100, { claimed: 7, actual: 5 })];
  expect(compareTries(halfWrong)).toMatchObject({ isSurprising: true });
});

test.for([
  { why: "no waits", given: [] },
  { why: "nine", given: waits(9, { claimed: 4, actual: 4 }) },
  { why: "no difficulty: every wait is one try", given: waits(50, { claimed: 0, actual: 0 }) },
])("too little to judge: $why", ({ given }) => {
  expect(compareTries(given)).toBeNull();
});

test.for([
  { difficultyBits: 4, tries: 0 },
  { difficultyBits: 4, tries: 1.5 },
  { difficultyBits: -1, tries: 1 },
  { difficultyBits: 513, tries: 1 },
])("impossible: $tries tries at $difficultyBits bits", (wait) => {
  expect(() => compareTries([wait])).toThrow(RangeError);
});
