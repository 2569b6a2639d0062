import { expect, test } from "vitest";
import { certaintyWords, sampledPasses } from "./certainty.ts";
import { exampleCheck } from "./example-run.ts";

test.for([
  { probability: 0.999_33, words: "99.93 % sure: over 18 connections" },
  { probability: 0.999_999_9, words: "99.99 % sure: over 18 connections" },
  { probability: 0.5, words: "50.00 % sure: over 18 connections" },
  { probability: 1, words: "over 18 connections" },
])("$probability is said as $words", ({ probability, words }) => {
  expect(certaintyWords({ tries: 18, probability, basis: "over 18 connections" })).toBe(words);
});

const sampled = (id: string, probability: number, verdict: "pass" | "fail" = "pass") =>
  exampleCheck({ id, verdict, certainty: { tries: 2, probability, basis: `asked for ${id}` } });

test("of several samples the least sure pass is named", () => {
  const checks = [sampled("A/x", 1), sampled("B/x", 0.9986), exampleCheck({}), sampled("C/x", 0.1, "fail")];
  expect(sampledPasses({ checks })).toBe(
    "2 passes rest on samples; the least sure is B/x, 99.86 % sure: asked for B/x",
  );
  expect(sampledPasses({ checks: [sampled("A/x", 1)] })).toBe(
    "1 pass rests on samples; the least sure is A/x, asked for A/x",
  );
  expect(sampledPasses({ checks: [exampleCheck({})] })).toBeUndefined();
});
