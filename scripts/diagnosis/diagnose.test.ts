import { expect, test } from "vitest";
import type { RunFinding } from "../../reports/finding-format.ts";
import { suites } from "../suites.ts";
import { diagnose } from "./diagnose.ts";
import { wayOf } from "./families.ts";
import { imaginedChecks } from "./imagined-run.ts";
import { knowledge, knownFaults } from "./knowledge.ts";
import type { Symptoms } from "./symptom.ts";

function symptomsOf(...faults: readonly string[]): Symptoms {
  return Object.assign({}, ...faults.map((id) => knownFaults.faults[id]?.symptoms)) as Symptoms;
}

function findingsOf(symptoms: Symptoms, judged?: ReadonlySet<string>): readonly RunFinding[] {
  return diagnose({ checks: imaginedChecks(symptoms, judged) }, knowledge);
}

test("a run without failures has no findings, and warnings alone make none", () => {
  expect(findingsOf({})).toEqual([]);
  expect(findingsOf(symptomsOf("token/plain-text"))).toEqual([]);
});

test("a defect is found by what it makes fail, with what a reader wants to know", () => {
  const [finding, ...others] = findingsOf(symptomsOf("redirect-uri/prefix"));
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    id: "F1",
    kind: "defect",
    fault: "redirect-uri/prefix",
    sentence: "The service compares redirect_uri by prefix.",
    severity: "account takeover",
    against: [],
  });
  expect(finding?.section).not.toBe("");
  expect(finding?.cause).toBeDefined();
  expect(finding?.mend).toBeDefined();
  expect(finding?.confidence?.rule).toBeGreaterThanOrEqual(finding?.confidence?.defect ?? 1);
});

test("two defects are two findings, the graver first", () => {
  const findings = findingsOf(symptomsOf("jmap/limit-ignored", "pkce/plain"));
  expect(findings.map(({ fault }) => fault)).toEqual(["pkce/plain", "jmap/limit-ignored"]);
  expect(findings.map(({ id }) => id)).toEqual(["F1", "F2"]);
});

test("a predicted check that passed speaks against a defect, one that was not judged does not", () => {
  const symptoms = symptomsOf("redirect-uri/prefix");
  const [dropped = ""] = Object.keys(symptoms).toReversed();
  const { [dropped]: _dropped, ...rest } = symptoms;
  expect(findingsOf(rest)[0]).toMatchObject({ fault: "redirect-uri/prefix", against: [dropped] });
  const judged = new Set(suites.flatMap(({ checks }) => checks.map(({ id }) => id)));
  judged.delete(dropped);
  expect(findingsOf(rest, judged)[0]).toMatchObject({ fault: "redirect-uri/prefix", against: [] });
});

test("what no defect explains is a finding of its requirement, without a cause", () => {
  const findings = findingsOf({
    "JMAP-10": { verdict: "fail", observed: "a gazebo" },
    "META-12": { verdict: "fail", observed: "a marquee" },
  });
  const requirements = findings.filter(({ kind }) => kind === "requirement");
  expect(requirements.map(({ explains }) => explains)).toContainEqual(["META-12"]);
  for (const finding of requirements) {
    expect(finding.sentence).toMatch(/^The service violates /u);
    expect(finding).not.toHaveProperty("cause");
    expect(finding).not.toHaveProperty("confidence");
  }
});

test("one answer to many checks of many requirements is one finding, and leaves the others alone", () => {
  const refused = suites
    .filter(({ name }) => ["jmap", "sessions", "agents"].includes(name))
    .flatMap(({ checks }) => checks.filter(({ kind }) => kind === "check").map(({ id }) => id));
  const symptoms: Symptoms = {
    ...symptomsOf("pkce/plain"),
    ...Object.fromEntries(
      refused.map((id) => [id, { verdict: "fail", observed: "502 (text/html)" }] as const),
    ),
  };
  const findings = findingsOf(symptoms);
  expect(findings.map(({ kind }) => kind)).toEqual(["defect", "common-answer"]);
  expect(findings[1]?.explains).toHaveLength(refused.length);
  expect(findings[1]?.severity).toBe("denial of service");
});

test("every failing check is in exactly one finding", () => {
  const symptoms = symptomsOf("redirect-uri/origin", "resource/any-absolute-uri", "scope/first-call-only");
  const failing = Object.entries(symptoms).flatMap(([id, { verdict }]) => (verdict === "fail" ? [id] : []));
  const explained = findingsOf(symptoms).flatMap(({ explains }) => explains);
  expect(explained.toSorted()).toEqual(failing.toSorted());
});

test("what a defect can be mistaken for are other ways of breaking a rule", () => {
  const [finding] = findingsOf(symptomsOf("combinations/any-verifier-mcp"));
  const ways = [finding?.fault, ...(finding?.alternatives.map(({ fault }) => fault) ?? [])].map((fault) =>
    wayOf(fault ?? ""),
  );
  expect(ways[0]).toBe(wayOf("combinations/any-verifier-mcp"));
  expect(ways.length).toBeGreaterThan(1);
  expect(new Set(ways).size).toBe(ways.length);
});

test("a trace of a greater defect of the same rule is not a finding of its own", () => {
  const symptoms: Symptoms = {
    ...symptomsOf("redirect-uri/origin"),
    "REDIR-25/no-port": { verdict: "fail", observed: "a gazebo" },
  };
  const findings = findingsOf(symptoms);
  expect(findings.map(({ fault }) => fault)).toEqual(["redirect-uri/origin"]);
  expect(findings[0]?.explains).toContain("REDIR-25/no-port");
});

test("the same run has the same findings, in whatever order its checks come", () => {
  const checks = imaginedChecks(symptomsOf("refresh/grace-window", "pow/takeover"));
  expect(diagnose({ checks: checks.toReversed() }, knowledge)).toEqual(diagnose({ checks }, knowledge));
});
