import { describe, expect, test } from "vitest";
import { nodeFaults } from "../../fixtures/faults/nodes/nodes.ts";
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

const isOfEveryNode = (id: string): boolean => /\/every-(?:jmap-)?node$/u.test(id);

const ways = [
  { isListed: false, words: "over new connections" },
  { isListed: true, words: "at the addresses of the profile" },
];

describe.for(ways)("$words", ({ isListed }) => {
  test("sound nodes pass, and each pass says how sure it is", async () => {
    const results = await judgeNodes({ count: 3, isListed }, {}, checks);
    expect(idsWith(results, "pass").toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
    // Which node gets a browser's request is not for the profile to say.
    const sampled = results.filter(({ id }) => isOfEveryNode(id) && id !== "AUTHZ-09/every-node");
    for (const { certainty } of sampled) {
      expect(certainty?.probability).toBeGreaterThanOrEqual(isListed ? 1 : 0.998);
      expect(certainty?.basis).toMatch(
        isListed ? /^(?:twice )?each of the 3 node addresses/u : /3 nodes get at random/u,
      );
    }
  });

  // What one node keeps for itself shows by chance where its address is not known.
  test.for(nodeFaults)("$id is caught by $caughtBy", { retry: isListed ? 0 : 1 }, async (fault) => {
    const named = checks.filter(({ id }) => fault.caughtBy.includes(id));
    const failed = idsWith(await judgeNodes({ count: 2, isListed }, fault, named), "fail");
    expect(failed.toSorted()).toEqual(fault.caughtBy.toSorted());
  });
});

test("each check of nodes is caught failing", () => {
  expect(nodesChecks.filter(({ id }) => !named.has(id)).map(({ id }) => id)).toEqual([]);
});
