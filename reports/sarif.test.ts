import type { Log } from "sarif";
import { expect, test } from "vitest";
import { exampleCheck, exampleFinding, exampleRun } from "./example-run.ts";
import type { Run } from "./run-format.ts";
import { renderSarif } from "./sarif.ts";

const failed = exampleCheck({ id: "A-1/x", verdict: "fail", expected: "a", observed: "b" });

function logOf(changes: Partial<Run>): Log["runs"][number] {
  const log = JSON.parse(renderSarif(exampleRun([failed], changes))) as Log;
  const [run] = log.runs;
  if (run === undefined) throw new TypeError("no run");
  return run;
}

test("a finding is a result of the rule of its defect, with a severity that GitHub understands", () => {
  const { tool, results } = logOf({ findings: [exampleFinding()] });
  expect(tool.driver.rules).toMatchObject([
    { id: "redirect-uri/prefix", properties: { "security-severity": "9.5" } },
  ]);
  expect(results).toMatchObject([
    {
      ruleId: "redirect-uri/prefix",
      level: "error",
      message: {
        text: "The service compares `redirect_uri` by prefix.\nexpected  a\nobserved  b\n1 check failed: A-1/x",
      },
    },
  ]);
});

test("a violation that nothing explains is a result of its requirement, the same from run to run", () => {
  const [first] = logOf({}).results ?? [];
  const [second] = logOf({ id: "another", startedAt: "2026-02-01T00:00:00.000Z" }).results ?? [];
  expect(first?.ruleId).toBe("REDIR-08");
  expect(second?.partialFingerprints).toEqual(first?.partialFingerprints);
});

test.for([
  { flags: ["--target", "ci/mail proof.json"], uri: "ci/mail%20proof.json" },
  { flags: ["--target=./profile.json"], uri: "profile.json" },
  { flags: ["--target", "/etc/profile.json"], uri: "profile.json" },
  { flags: ["--target", "../profile.json"], uri: "profile.json" },
  { flags: [], uri: "profile.json" },
])("results of $flags are placed at $uri, a relative path without spaces", ({ flags, uri }) => {
  const { results } = logOf({ environment: { os: "linux", cpus: 1, flags } });
  expect(results?.[0]?.locations).toMatchObject([
    { physicalLocation: { artifactLocation: { uri }, region: { startLine: 1, endColumn: 2 } } },
  ]);
});

test("a run that conforms has no results, which closes the alerts of earlier ones", () => {
  const log = JSON.parse(renderSarif(exampleRun([exampleCheck({})]))) as Log;
  expect(log.runs[0]?.results).toEqual([]);
});
