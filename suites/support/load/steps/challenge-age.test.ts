import { expect, test } from "vitest";
import { mostAgeMs } from "./challenge-age.ts";

test.for([
  { claims: { iat: 1000, exp: 1300 }, seconds: 290, why: "ten seconds less than it lives" },
  { claims: { iat: 1000, exp: 1006 }, seconds: 3, why: "half of it, when it is short-lived" },
  { claims: {}, seconds: 120, why: "a guess, when it does not say" },
  { claims: { exp: "1300" }, seconds: 120, why: "a guess, when it says so in another form" },
])("$claims may be $seconds s old ($why)", ({ claims, seconds }) => {
  expect(mostAgeMs({ claims })).toBe(seconds * 1000);
});

test("without a time of issue it was issued now", () => {
  const seconds = mostAgeMs({ claims: { exp: Date.now() / 1000 + 60 } }) / 1000;
  expect(seconds).toBeGreaterThan(45);
  expect(seconds).toBeLessThanOrEqual(50);
});
