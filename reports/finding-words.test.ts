import { expect, test } from "vitest";
import { exampleCheck } from "./example-run.ts";
import type { RunFinding } from "./finding-format.ts";
import { findingWords } from "./finding-words.ts";

const run = { checks: [exampleCheck({ verdict: "fail" })] };

function finding(defect: number, alternatives: readonly number[] = []): RunFinding {
  return {
    id: "F1",
    kind: "defect",
    sentence: "The service compares redirect_uri by prefix.",
    severity: "account takeover",
    consequence: "An attacker who owns a page below the registered path receives the code.",
    section: "authorize parameters",
    confidence: { rule: 0.995, defect },
    fault: "redirect-uri/prefix",
    explains: ["REDIR-08/upper-case-host"],
    against: [],
    alternatives: alternatives.map((confidence) => ({
      fault: "redirect-uri/origin",
      sentence: "The service compares only the origin of redirect_uri.",
      confidence,
    })),
  };
}

test.for([
  { defect: 0.97, headline: "The service compares redirect_uri by prefix." },
  { defect: 0.9, headline: "The service compares redirect_uri by prefix." },
  { defect: 0.6, headline: "Most likely the service compares redirect_uri by prefix, or something like it." },
  { defect: 0.3, headline: "Possibly the service compares redirect_uri by prefix, or something like it." },
  { defect: 0.29, headline: "The service violates REDIR-08: Host case matters." },
])("$defect: $headline", ({ defect, headline }) => {
  expect(findingWords(finding(defect), run).headline).toBe(headline);
});

test("a finding with a rival of the same standing names both", () => {
  const words = findingWords(finding(0.45, [0.4]), run);
  expect(words.headline).toBe(
    "One of these: the service compares redirect_uri by prefix; or the service compares only the origin of redirect_uri.",
  );
  expect(words.choices).toHaveLength(2);
  expect(words.sureness).toBe("45 % sure that it is this defect, 99 % that it is this rule");
});

test("a rival that is far behind is not a choice", () => {
  expect(findingWords(finding(0.92, [0.05]), run).choices).toEqual([]);
  expect(findingWords(finding(0.65, [0.6]), run).choices).toHaveLength(2);
});

test("what was not looked up is said as it stands", () => {
  const { confidence: _confidence, ...rest } = finding(1);
  const requirement: RunFinding = {
    ...rest,
    kind: "requirement",
    sentence: "The service violates REDIR-08: …",
  };
  expect(findingWords(requirement, run)).toEqual({
    headline: "The service violates REDIR-08: …",
    choices: [],
  });
});
