import fc from "fast-check";
import { expect, test } from "vitest";
import { pairsOf, pairwise } from "./pairs.ts";

const values = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

test("every pair of values of two factors occurs together in a case", () => {
  fc.assert(
    fc.property(fc.record({ a: values, b: values, c: values }), (factors) => {
      const covered = new Set(pairwise(factors).flatMap(pairsOf));
      const all = factors.a.flatMap((a) =>
        factors.b.flatMap((b) => factors.c.flatMap((c) => pairsOf({ a, b, c }))),
      );
      expect(all.filter((pair) => !covered.has(pair))).toEqual([]);
    }),
  );
});

test("two factors of three values and two of two need nine cases", () => {
  const cases = pairwise({ a: ["1", "2", "3"], b: ["1", "2", "3"], c: ["1", "2"], d: ["1", "2"] });
  expect(cases).toHaveLength(9);
});
