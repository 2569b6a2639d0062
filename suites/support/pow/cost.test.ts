import { expect, test } from "vitest";
import { economics, solverSpeeds } from "./cost.ts";

test.for([
  { scryptMs: 31, bits: 0, seconds: 0.031, why: "one hash" },
  { scryptMs: 31, bits: 10, seconds: 31.744, why: "1024 hashes" },
  { scryptMs: 5, bits: 20, seconds: 5242.88, why: "a million hashes" },
])("$bits bits at $scryptMs ms per hash take $seconds s ($why)", ({ scryptMs, bits, seconds }) => {
  const { signups, verifyMs } = economics({ difficultyBits: bits, solverHashesPerSecond: 100, scryptMs });
  expect(signups[0]).toMatchObject({ where: "this machine", name: "node:crypto scryptSync" });
  expect(signups[0]?.coreSeconds).toBeCloseTo(seconds, 6);
  expect(verifyMs).toBe(scryptMs);
});

test("a solver as fast as the verifier does 2^d times its work, a faster one less", () => {
  const of = (solverHashesPerSecond: number) =>
    economics({ difficultyBits: 12, solverHashesPerSecond, scryptMs: 20 }).solveToVerify;
  expect(of(50)).toEqual({ thisSolver: 4096, fastestHere: expect.closeTo(4096 / 6.1) });
  expect(of(100).thisSolver).toBe(2048);
  expect(of(1000)).toEqual({ thisSolver: 204.8, fastestHere: 204.8 });
});

test("speeds that were not measured on this machine are marked as estimates, based on node:crypto", () => {
  const speeds = solverSpeeds({ nodeCryptoMs: 61, solverMs: 30.5 });
  const of = (where: string, start: string) =>
    speeds.find((speed) => speed.where === where && speed.name.startsWith(start));
  expect(of("this machine", "this solver")).toMatchObject({ basis: "measured", hashMs: 30.5, ratio: 2 });
  expect(of("this machine", "C with AVX-512")).toMatchObject({ basis: "estimated", hashMs: 10, ratio: 6.1 });
  expect(of("reference core", "node:crypto")).toMatchObject({ basis: "measured", hashMs: 31, ratio: 1 });
  expect(of("reference core", "WebAssembly")?.hashMs).toBeCloseTo(13.42, 2);
});
