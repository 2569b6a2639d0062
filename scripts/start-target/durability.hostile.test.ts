import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { storeFaults } from "../../fixtures/faults/stores/store.ts";
import { durabilityChecks } from "../../suites/durability/suite.ts";
import type { Verdict } from "../../suites/support/verdict.ts";
import { requirementOf } from "../../suites/support/judging/check.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { namesTarget } from "../../suites/support/target/start-settings.ts";
import { startTarget } from "./start-target.ts";
import { createTargetLog } from "./target-log.ts";
import { referenceProfile, serviceCommand } from "./reference-target.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-durability-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The durability checks of a service that is started so. */
async function judge(command: string): Promise<ReadonlyMap<string, { verdict: Verdict; reason?: string }>> {
  const start = { command: `${command} --operator-endpoints`, restart: true, ready: { seconds: 120 } };
  const started = await referenceProfile(start);
  const dashboard = {
    ...started.hooks.revoke_grants,
    url: `${started.auth_url}/test/operator/revoke-grants`,
  };
  const profile = { ...started, hooks: { ...started.hooks, revoke_grants: dashboard } };
  if (!namesTarget(profile.start)) throw new TypeError("expected a target to start");
  const { signal } = new AbortController();
  const target = await startTarget(profile, profile.start, createTargetLog(), signal);
  try {
    const { results } = await runChecks(durabilityChecks, profile, { process: target.process });
    return new Map(results.map(({ id, verdict, reason = "" }) => [id, { verdict, reason }]));
  } finally {
    await target.stop();
  }
}

const claims = durabilityChecks.filter(({ kind }) => kind === "check").map(({ id }) => id);

function idsWith(results: Awaited<ReturnType<typeof judge>>, verdict: Verdict): string[] {
  return [...results].filter(([, result]) => result.verdict === verdict).map(([id]) => id);
}

test("a service that keeps its state on the disk passes after a restart and after a kill", async () => {
  const results = await judge(serviceCommand("fixtures/service/main.ts", `--data ${temporaryFolder()}`));
  const others = [...results].filter(([, { verdict }]) => verdict !== "pass" && verdict !== "observed");
  expect(others).toEqual([]);
  expect(results.size).toBe(durabilityChecks.length);
});

test("a service that keeps its state in memory loses clients and agents, and hides the rest behind that", async () => {
  const results = await judge(serviceCommand("fixtures/service/main.ts"));
  expect(idsWith(results, "fail").map(requirementOf).toSorted()).toEqual([
    "DCR-04",
    "DCR-04",
    "POW-11",
    "POW-11",
  ]);
  expect(idsWith(results, "pass")).toEqual([]);
});

const forgetting = storeFaults.filter(({ breaks = [] }) => breaks.length > 0);

describe("a service that forgets something when it starts", () => {
  test.for(forgetting)("$id fails the checks of $breaks", async ({ id, breaks = [] }) => {
    const folder = temporaryFolder();
    const results = await judge(serviceCommand("fixtures/faults/stores/serve-store-fault.ts", id, folder));
    const expected = claims.filter((claim) => breaks.includes(requirementOf(claim)));
    expect(idsWith(results, "fail")).toEqual(expected);
  });

  test("each check has a service that fails it", () => {
    const broken = new Set(forgetting.flatMap(({ breaks = [] }) => breaks));
    expect(claims.filter((id) => !broken.has(requirementOf(id)))).toEqual([]);
  });
});

test("a service that answers before it commits loses what it acknowledged before a kill, and not before a restart", async () => {
  const command = (): string =>
    serviceCommand(
      "fixtures/faults/stores/serve-store-fault.ts",
      "store/answers-before-commit",
      temporaryFolder(),
    );
  // It commits every 150 milliseconds: a kill that comes right after a commit finds nothing lost.
  const mostKills = 4;
  let failed = idsWith(await judge(command()), "fail");
  for (let kills = 1; failed.length === 0 && kills < mostKills; kills += 1)
    failed = idsWith(await judge(command()), "fail");
  expect(failed).not.toEqual([]);
  expect(failed.filter((id) => !id.endsWith("/killed"))).toEqual([]);
});
