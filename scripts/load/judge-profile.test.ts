import { expect, test } from "vitest";
import {
  examplePhase,
  exampleRows,
  exampleStream,
} from "../../suites/support/load/figures/example-measurement.ts";
import type { Threshold } from "../../suites/support/load/figures/thresholds.ts";
import { judgeProfile } from "./judge-profile.ts";

const rate: Threshold = {
  id: "rate",
  claim: "At least 50 requests a second are answered.",
  measure: { kind: "rate", at: { phase: "load", stream: "s" } },
  bound: "at-least",
  pass: 50,
};
const p99: Threshold = {
  id: "p99",
  claim: "The p99 is at most 100 ms.",
  measure: { kind: "latency-ms", at: { phase: "load", stream: "s" }, percentile: 99 },
  bound: "at-most",
  pass: 100,
};

function verdictAt(perSecond: number, idleCores = 0): string {
  const stream = exampleStream("s", exampleRows(5, perSecond, 10));
  const profile = { name: "example", question: "Is it fast?", phases: [], thresholds: [rate, p99] };
  const findings = {
    profile,
    measurement: { profile: "example", phases: [examplePhase("load", 5, [stream])] },
    violations: [],
    problems: [],
    calibration: { beforeMs: 25, afterMs: 25, idleCores },
  };
  return judgeProfile(findings, { scryptMs: 25, cores: 2 }).verdict;
}

test("a missed threshold stands although another one lacks responses", () => {
  expect(verdictAt(10)).toBe("missed");
});

test("thresholds that were met do not hold while another one lacks responses", () => {
  expect(verdictAt(60)).toBe("invalid");
});

test("a missed threshold proves nothing on a noisy machine", () => {
  expect(verdictAt(10, 0.9)).toBe("invalid");
});
