import { expect, test } from "vitest";
import { nodeFaults } from "../../fixtures/faults/nodes.ts";
import { nodesChecks } from "../../suites/nodes/suite.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { suites } from "../suites.ts";
import { judgeNodes } from "./judge-nodes.ts";

const all = suites.flatMap((suite) => suite.checks);
const named = new Set(nodeFaults.flatMap(({ caughtBy }) => caughtBy));
const checks = all.filter((check) => nodesChecks.includes(check) || named.has(check.id));

function idsWith(results: readonly CheckResult[], verdict: string): string[] {
  return results.filter((result) => result.verdict === verdict).map(({ id }) => id);
}

test("sound nodes pass", async () => {
  const results = await judgeNodes(3, {}, checks);
  expect(idsWith(results, "pass").toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
});

test.for(nodeFaults)("$id is caught by $caughtBy", { retry: 1 }, async (fault) => {
  const failed = idsWith(await judgeNodes(2, fault, checks), "fail");
  expect(failed.filter((id) => fault.caughtBy.includes(id)).toSorted()).toEqual(fault.caughtBy.toSorted());
});

test("each check of nodes is caught failing", () => {
  expect(nodesChecks.filter(({ id }) => !named.has(id)).map(({ id }) => id)).toEqual([]);
});
