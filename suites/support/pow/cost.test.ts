import { expect, test } from "vitest";
import { signupCoreSeconds, solverSpeeds, solveToVerifyRatio } from "./cost.ts";

test.for([
  { hashMs: 31, bits: 0, seconds: 0.031, why: "one hash" },
  { hashMs: 31, bits: 10, seconds: 31.744, why: "1024 hashes" },
  { hashMs: 5, bits: 20, seconds: 5242.88, why: "a million hashes" },
])("$bits bits at $hashMs ms a hash take $seconds s ($why)", ({ hashMs, bits, seconds }) => {
  expect(signupCoreSeconds(hashMs, bits)).toBeCloseTo(seconds, 6);
});

test("a solver as fast as the verifier works 2^d times as much, a faster one less", () => {
  expect(solveToVerifyRatio(31, 31, 12)).toBe(4096);
  expect(solveToVerifyRatio(15.5, 31, 12)).toBe(2048);
});

test("what was not measured here is said to be estimated, from node:crypto here", () => {
  const speeds = solverSpeeds({ nodeCryptoMs: 61, solverMs: 30.5 });
  const of = (where: string, start: string) =>
    speeds.find((speed) => speed.where === where && speed.name.startsWith(start));
  expect(of("this machine", "this solver")).toMatchObject({ basis: "measured", hashMs: 30.5, ratio: 2 });
  expect(of("this machine", "C with AVX-512")).toMatchObject({ basis: "estimated", hashMs: 10, ratio: 6.1 });
  expect(of("reference core", "node:crypto")).toMatchObject({ basis: "measured", hashMs: 31, ratio: 1 });
  expect(of("reference core", "WebAssembly")?.hashMs).toBeCloseTo(13.42, 2);
});
