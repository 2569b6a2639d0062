import { expect, test } from "vitest";
import { expectedTries, shareWithin, triesForShare } from "./geometric-waits.ts";
import { compareTries, type ObservedWait } from "./observed-tries.ts";

/** Reproducible random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws until the first hit: the definition, not the formula under test. */
function draw(difficultyBits: number, random: () => number): number {
  let tries = 1;
  while (random() >= 2 ** -difficultyBits) tries += 1;
  return tries;
}

function waits(
  count: number,
  { claimed, actual, seed = 1 }: { claimed: number; actual: number; seed?: number },
): ObservedWait[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => ({ difficultyBits: claimed, tries: draw(actual, random) }));
}

test.for([
  { bits: 0, share: 0.99, tries: 1, why: "every try is a hit" },
  { bits: 1, share: 0.5, tries: 1, why: "one coin flip" },
  { bits: 1, share: 0.75, tries: 2, why: "two coin flips" },
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

test.for([1, 2, 3, 6, 10])("geometric waits for %d bits are not significant", (bits) => {
  const found = compareTries(waits(200, { claimed: bits, actual: bits }));
  expect(found).toMatchObject({ waits: 200, expectedTries: 200 * 2 ** bits, isSignificant: false });
});

test.for([
  { claimed: 6, actual: 5, why: "one bit easier than claimed" },
  { claimed: 6, actual: 7, why: "one bit harder than claimed" },
  { claimed: 4, actual: 8, why: "hexadecimal digits instead of bits" },
])("100 waits are enough to detect: $why", ({ claimed, actual }) => {
  expect(compareTries(waits(100, { claimed, actual }))).toMatchObject({ isSignificant: true });
});

test("identical waits are significant although their mean is correct", () => {
  const identical = Array.from({ length: 100 }, () => ({ difficultyBits: 4, tries: 16 }));
  expect(compareTries(identical)).toMatchObject({
    observedTries: 1600,
    expectedTries: 1600,
    isSignificant: true,
  });
});

test("about one in twenty comparisons of geometric waits has a p-value below 0.05", () => {
  const pValues = Array.from({ length: 1000 }, (_, seed) => {
    const found = compareTries(waits(60, { claimed: 3, actual: 3, seed }));
    return found?.pValue ?? Number.NaN;
  });
  const low = pValues.filter((pValue) => pValue < 0.05).length;
  expect(low).toBeGreaterThan(25);
  expect(low).toBeLessThan(80);
  expect(pValues.filter((pValue) => Number.isNaN(pValue))).toEqual([]);
});

test("difficulties can be mixed", () => {
  const mixed = [...waits(40, { claimed: 2, actual: 2 }), ...waits(40, { claimed: 7, actual: 7 })];
  expect(compareTries(mixed)).toMatchObject({ expectedTries: 40 * 4 + 40 * 128, isSignificant: false });
  const halfWrong = [...waits(100, { claimed: 2, actual: 2 }), ...waits(100, { claimed: 7, actual: 5 })];
  expect(compareTries(halfWrong)).toMatchObject({ isSignificant: true });
});

test.for([
  { why: "no waits", given: [] },
  { why: "nine waits", given: waits(9, { claimed: 4, actual: 4 }) },
  { why: "difficulty 0, where every wait is one try", given: waits(50, { claimed: 0, actual: 0 }) },
])("not enough to test: $why", ({ given }) => {
  expect(compareTries(given)).toBeNull();
});

test.for([
  { difficultyBits: 4, tries: 0 },
  { difficultyBits: 4, tries: 1.5 },
  { difficultyBits: -1, tries: 1 },
  { difficultyBits: 513, tries: 1 },
])("$tries tries at $difficultyBits bits are rejected", (wait) => {
  expect(() => compareTries([wait])).toThrow(RangeError);
});
