import { expect, test } from "vitest";
import { maxAgeMs } from "./challenge-age.ts";

test.for([
  { claims: { iat: 1000, exp: 1300 }, seconds: 290, why: "its lifetime less ten seconds" },
  { claims: { iat: 1000, exp: 1006 }, seconds: 3, why: "half of a short lifetime" },
  { claims: {}, seconds: 120, why: "the default, without exp" },
  { claims: { exp: "1300" }, seconds: 120, why: "the default, when exp is not a number" },
])("$claims give a maximum age of $seconds s ($why)", ({ claims, seconds }) => {
  expect(maxAgeMs({ claims })).toBe(seconds * 1000);
});

test("without iat, the lifetime counts from now", () => {
  const seconds = maxAgeMs({ claims: { exp: Date.now() / 1000 + 60 } }) / 1000;
  expect(seconds).toBeGreaterThan(45);
  expect(seconds).toBeLessThanOrEqual(50);
});
