import { expect, test } from "vitest";
import { exampleEconomics, exampleThreshold } from "./example-load-run.ts";
import {
  coreTimeInWords,
  figure,
  inUnits,
  limitInWords,
  rangeInUnits,
  timesSeen,
  triesInWords,
  worseInWords,
} from "./words.ts";

test.for([
  { value: 0, text: "0" },
  { value: 0.0123, text: "0.012" },
  { value: 0.00000034, text: "3.4e-7" },
  { value: 0.354, text: "0.35" },
  { value: 0.5, text: "0.5" },
  { value: 3, text: "3" },
  { value: 12.44, text: "12.4" },
  { value: 20, text: "20" },
  { value: 99.96, text: "100" },
  { value: 16_712.4, text: "16,712" },
  { value: -0.5, text: "-0.5" },
])("$value is written $text", ({ value, text }) => {
  expect(figure(value)).toBe(text);
});

test.for([
  { kind: "efficiency", value: 0.94, text: "0.94" },
  { kind: undefined, value: 0.94, text: "0.94" },
  { kind: "latency-in-scrypts", value: 0.35, text: "0.35 S" },
  { kind: "latency-ms", value: 12, text: "12 ms" },
  { kind: "rate", value: 57, text: "57/s" },
  { kind: "rate-ratio", value: 290, text: "290 times" },
  { kind: "recovery", value: 1.5, text: "1.5 times" },
  { kind: "knee", value: 0.9, text: "90 % of capacity" },
  { kind: "p99-growth", value: -0.02, text: "-2 % an hour" },
  { kind: "memory-growth", value: 0.1, text: "10 % an hour" },
] as const)("$value of $kind is written $text", ({ kind, value, text }) => {
  expect(inUnits(kind, value)).toBe(text);
});

test("a range has its unit once", () => {
  expect(rangeInUnits("latency-in-scrypts", [0.35, 0.41])).toBe("0.35 to 0.41 S");
  expect(rangeInUnits("knee", [0.8, 0.9])).toBe("80 to 90 % of capacity");
});

test("a limit says its direction and unit", () => {
  expect(limitInWords(exampleThreshold())).toBe("at least 0.8");
  expect(limitInWords(exampleThreshold({ kind: "latency-in-scrypts", bound: "at-most", limit: 2 }))).toBe(
    "at most 2 S",
  );
});

test.for([
  { worseBy: 0.263, text: "worse by 26.3 %" },
  { worseBy: -0.1, text: "better by 10 %" },
  { worseBy: 0.004, text: "as before" },
])("$worseBy is $text", ({ worseBy, text }) => {
  expect(worseInWords({ profile: "p", threshold: "t", isRegression: false, worseBy })).toBe(text);
});

test.for([
  { seconds: 0.0312, text: "31.2 ms" },
  { seconds: 5, text: "5 s" },
  { seconds: 600, text: "10 min" },
  { seconds: 36_000, text: "10 h" },
  { seconds: 864_000, text: "10 days" },
])("$seconds s of a core are $text", ({ seconds, text }) => {
  expect(coreTimeInWords(seconds)).toBe(text);
});

test("a violation that was not repeated was seen once", () => {
  expect(timesSeen({ repeated: 0 })).toBe("once");
  expect(timesSeen({ repeated: 1 })).toBe("2 times");
});

test("tries that chance does not explain are said to be strange, and no tries are no evidence", () => {
  const { pValue: _, ...without } = exampleEconomics;
  expect(triesInWords(exampleEconomics)).toContain("chance alone does that (p = 0.83)");
  expect(triesInWords({ ...exampleEconomics, pValue: 0.00002 })).toContain(
    "chance does that in 0.002 % of all runs, so challenges may be easier or harder than the difficulty that they say",
  );
  expect(triesInWords(without)).toContain("too few to tell more");
  expect(triesInWords({ ...without, solved: 0, tries: 0 })).toBe("No proof of work was solved for this run.");
});
