import { expect, test } from "vitest";
import { exampleEconomics, exampleThreshold } from "./example-load-run.ts";
import {
  formatCoreTime,
  formatValue,
  formatLimit,
  formatRange,
  formatOccurrences,
  describeTries,
  formatChange,
} from "./format.ts";

test.for([
  { kind: "efficiency", value: 0.94, text: "0.94" },
  { kind: undefined, value: 0.94, text: "0.94" },
  { kind: "latency-in-scrypts", value: 0.35, text: "0.35 S" },
  { kind: "latency-ms", value: 12, text: "12 ms" },
  { kind: "rate", value: 57, text: "57/s" },
  { kind: "rate-ratio", value: 290, text: "290 ×" },
  { kind: "recovery", value: 1.5, text: "1.5 ×" },
  { kind: "knee", value: 0.9, text: "90 % of capacity" },
  { kind: "p99-growth", value: -0.02, text: "-2 % per hour" },
  { kind: "memory-growth", value: 0.1, text: "10 % per hour" },
] as const)("$value of $kind is formatted as $text", ({ kind, value, text }) => {
  expect(formatValue(kind, value)).toBe(text);
});

test("a range has one unit", () => {
  expect(formatRange("latency-in-scrypts", [0.35, 0.41])).toBe("0.35 to 0.41 S");
  expect(formatRange("knee", [0.8, 0.9])).toBe("80 to 90 % of capacity");
});

test("a limit has its direction and unit", () => {
  expect(formatLimit(exampleThreshold())).toBe("at least 0.8");
  expect(formatLimit(exampleThreshold({ kind: "latency-in-scrypts", bound: "at-most", limit: 2 }))).toBe(
    "at most 2 S",
  );
});

test.for([
  { worseBy: 0.263, text: "worse by 26.3 %" },
  { worseBy: -0.1, text: "better by 10 %" },
  { worseBy: 0.004, text: "unchanged" },
])("$worseBy is $text", ({ worseBy, text }) => {
  expect(formatChange({ profile: "p", threshold: "t", isRegression: false, worseBy })).toBe(text);
});

test.for([
  { seconds: 0.0312, text: "31.2 ms" },
  { seconds: 5, text: "5 s" },
  { seconds: 600, text: "10 min" },
  { seconds: 36_000, text: "10 h" },
  { seconds: 864_000, text: "10 days" },
])("$seconds s of CPU time are formatted as $text", ({ seconds, text }) => {
  expect(formatCoreTime(seconds)).toBe(text);
});

test("occurrences are the first one and its repetitions", () => {
  expect(formatOccurrences({ repeated: 0 })).toBe("once");
  expect(formatOccurrences({ repeated: 1 })).toBe("2 times");
});

test("attempts are compared with the difficulty, if there are enough proofs", () => {
  const { pValue: _, ...without } = exampleEconomics;
  expect(describeTries(exampleEconomics)).toContain("consistent with the difficulty (p = 0.83)");
  expect(describeTries({ ...exampleEconomics, pValue: 0.00002 })).toContain(
    "(p = 0.00002): the actual difficulty may differ from the stated one",
  );
  expect(describeTries(without)).toContain("too few proofs for a test");
  expect(describeTries({ ...without, solved: 0, tries: 0 })).toBe(
    "No proof of work was solved for this run.",
  );
});
