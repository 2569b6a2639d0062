import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { restartChecks } from "../../suites/histories/restarts.checks.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { namesTarget } from "../../suites/support/target/start-settings.ts";
import { referenceProfile, serviceCommand } from "./reference-target.ts";
import { startTarget } from "./start-target.ts";
import { createTargetLog } from "./target-log.ts";

const checks = restartChecks.filter(({ unlockedBy }) => unlockedBy === "restart");

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-restart-lives-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The verdicts on random lives through restarts and kills of the service that a command starts. */
async function judge(command: string): Promise<readonly CheckResult[]> {
  const profile = await referenceProfile({ command, restart: true, ready: { seconds: 120 } });
  if (!namesTarget(profile.start)) throw new TypeError("expected a target to start");
  const { signal } = new AbortController();
  const started = await startTarget(profile, profile.start, createTargetLog(), signal);
  try {
    return (await runChecks(checks, profile, { process: started.process })).results;
  } finally {
    await started.stop();
  }
}

function verdicts(results: readonly CheckResult[]): Record<string, string> {
  return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
}

test("a service that keeps its state on the disk keeps what it acknowledged", async () => {
  const results = await judge(serviceCommand("fixtures/service/main.ts", `--data ${temporaryFolder()}`));
  expect(verdicts(results)).toEqual({ "LIFE-06/restarted": "pass", "LIFE-06/killed": "pass" });
});

test("a service that loses its clients is not judged by what it refuses them", async () => {
  const results = await judge(serviceCommand("fixtures/service/main.ts"));
  expect(verdicts(results)).toEqual({
    "LIFE-06/restarted": "inconclusive",
    "LIFE-06/killed": "inconclusive",
  });
  expect(results[0]?.explainedBy).toBe("DCR-04/restarted");
});

test.for(["store/forgets-rotations", "store/forgets-revocations"])(
  "a service with the defect %s is found, with a story that names the restart",
  async (id) => {
    const command = serviceCommand("fixtures/faults/stores/serve-store-fault.ts", id, temporaryFolder());
    const results = await judge(command);
    expect(verdicts(results)).toEqual({ "LIFE-06/restarted": "fail", "LIFE-06/killed": "fail" });
    const [restarted, killed] = results;
    expect(restarted?.steps?.join(" ")).toContain("The target is restarted.");
    expect(killed?.steps?.join(" ")).toContain("The target is killed and starts again.");
  },
);

test("a service that answers before it commits is found after a kill, and not after a restart", async () => {
  const id = "store/answers-before-commit";
  const command = (): string =>
    serviceCommand("fixtures/faults/stores/serve-store-fault.ts", id, temporaryFolder());
  // It commits every 150 milliseconds: a kill right after a commit finds nothing lost, and one right before it a target that knows no client.
  const mostRuns = 6;
  let found = verdicts(await judge(command()));
  for (let runs = 1; found["LIFE-06/killed"] !== "fail" && runs < mostRuns; runs += 1)
    found = verdicts(await judge(command()));
  expect(found).toEqual({ "LIFE-06/restarted": "pass", "LIFE-06/killed": "fail" });
});
