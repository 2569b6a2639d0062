import { expect, test } from "vitest";
import { chiSquareTail } from "./chi-square.ts";

// Published critical values of the chi-square distribution (NIST/SEMATECH e-Handbook §1.3.6.7.4).
test.for([
  { chiSquare: 3.841, degreesOfFreedom: 1, tail: 0.05 },
  { chiSquare: 10.828, degreesOfFreedom: 1, tail: 0.001 },
  { chiSquare: 0.016, degreesOfFreedom: 1, tail: 0.9 },
  { chiSquare: 5.991, degreesOfFreedom: 2, tail: 0.05 },
  { chiSquare: 7.815, degreesOfFreedom: 3, tail: 0.05 },
  { chiSquare: 16.266, degreesOfFreedom: 3, tail: 0.001 },
  { chiSquare: 0.352, degreesOfFreedom: 3, tail: 0.95 },
  { chiSquare: 18.307, degreesOfFreedom: 10, tail: 0.05 },
  { chiSquare: 124.342, degreesOfFreedom: 100, tail: 0.05 },
])(
  "P(X >= $chiSquare) with $degreesOfFreedom degrees of freedom is $tail",
  ({ chiSquare, degreesOfFreedom, tail }) => {
    expect(chiSquareTail(chiSquare, degreesOfFreedom) / tail).toBeCloseTo(1, 1);
    expect(Math.abs(chiSquareTail(chiSquare, degreesOfFreedom) - tail)).toBeLessThan(0.001);
  },
);

test.for([0.1, 1, 2, 3.9, 4.1, 20, 200])("P(X >= %d) with 2 degrees of freedom is e^(-x/2)", (chiSquare) => {
  expect(chiSquareTail(chiSquare, 2) / Math.exp(-chiSquare / 2)).toBeCloseTo(1, 11);
});

test("P(X >= 0) is 1", () => {
  expect(chiSquareTail(0, 3)).toBe(1);
});
