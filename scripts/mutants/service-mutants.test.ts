import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import noticedMutants from "../../fixtures/faults/noticed-mutants.json" with { type: "json" };
import { forEachConcurrently } from "../../suites/support/judging/for-each-concurrently.ts";
import { openLane } from "./lanes.ts";
import { instrumentedService, instrumentService, type Mutant } from "./service-mutants.ts";

// All tests here use the one folder that the instrumented service is written to.
let mutants: readonly Mutant[];

beforeAll(async () => {
  mutants = await instrumentService();
});

test("the service is instrumented with mutants of what it decides, numbers included", async () => {
  expect(mutants.length).toBeGreaterThan(5000);
  expect(new Set(mutants.map(({ key }) => key)).size).toBe(mutants.length);
  expect(mutants).toContainEqual(
    expect.objectContaining({
      file: "oauth/consent/code-expires-at.ts",
      line: 3,
      original: "issuedAt + lifetimeSeconds * 1000",
      replacement: "issuedAt - lifetimeSeconds * 1000",
    }),
  );
  expect(mutants).toContainEqual(
    expect.objectContaining({
      file: "oauth/consent/code-expires-at.ts",
      original: "1000",
      replacement: "2000",
    }),
  );
  expect(
    mutants.map(({ file }) => file).filter((file) => /^identity\/|\.test\.ts$|sqlite/u.test(file)),
  ).toEqual([]);
  expect(await readFile(instrumentedService, "utf8")).toContain("startService");
});

test("keys do not depend on other files", async () => {
  const again = await instrumentService();
  expect(again.map(({ key }) => key)).toEqual(mutants.map(({ key }) => key));
});

test("mutants that were noticed once are noticed still, by the same checks", async () => {
  const lanes = [openLane(), openLane()];
  const free = [...lanes];
  const seen: Record<string, string> = {};
  await forEachConcurrently(Object.entries(noticedMutants), lanes.length, async ([key, check]) => {
    const lane = free.pop();
    const mutant = mutants.find((candidate) => candidate.key === key);
    if (lane === undefined || mutant === undefined) throw new Error(`the service has no mutant ${key}`);
    const task = { mutantId: mutant.id, checkIds: [check], undecidedAnyway: [], hitLimit: 100_000 };
    const outcome = await lane.judge(task, false);
    seen[key] = "check" in outcome && outcome.how !== "undecided" ? outcome.check : outcome.how;
    free.push(lane);
  });
  for (const lane of lanes) lane.close();
  expect(seen).toEqual(noticedMutants);
});
