import { beforeAll, expect, test } from "vitest";
import { restartsTarget } from "../../suites/support/judging/check.ts";
import type { Role } from "../../suites/support/target/evidence.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { RunProgress } from "../../suites/support/judging/run.ts";
import { defaultBudget } from "../../suites/support/target/profile.ts";
import { judgeService } from "../faults/judge-service.ts";
import { suites } from "../suites.ts";
import refusalsWithoutControl from "./refusals-without-control.json" with { type: "json" };

// A service in this process cannot be restarted: durability.hostile.test.ts judges one that can.
const checks = suites.flatMap((suite) => suite.checks).filter((check) => !restartsTarget(check));
let results: readonly CheckResult[];
let spent: RunProgress["spent"];

beforeAll(async () => {
  results = await judgeService({}, checks, { onResult: (_, progress) => ({ spent } = progress) });
}, 300_000);

function statuses({ exchanges }: CheckResult, role: Role): number[] {
  return exchanges.filter((entry) => entry.role === role).map(({ exchange }) => exchange.response.status);
}

test("the reference service passes every claim and answers every question", () => {
  expect(
    results
      .filter(({ verdict }) => verdict !== "pass" && verdict !== "observed")
      .map(({ id, verdict, reason }) => `${id}: ${verdict}: ${reason}`),
  ).toEqual([]);
  expect(results).toHaveLength(checks.length);
});

test("a third of what a run may make is left to services that need more of it", () => {
  const large = Object.entries(spent).filter(
    ([expense, count]) => count > (2 / 3) * Reflect.get(defaultBudget, expense),
  );
  expect(large).toEqual([]);
});

test("whatever was sent for a check, something of it is the subject, unless it does not apply", () => {
  const silent = results.filter(
    (result) =>
      (result.check.kind === "observe" || result.verdict !== "observed") &&
      result.exchanges.length > 0 &&
      statuses(result, "subject").length === 0,
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});

test("every refusal has a control that was accepted", () => {
  const unproved = results.filter((result) => {
    const subjects = statuses(result, "subject");
    const isRefusal = subjects.length > 0 && subjects.every((status) => status >= 400);
    return (
      result.check.kind !== "observe" &&
      isRefusal &&
      !statuses(result, "control").some((status) => status < 400)
    );
  });
  expect(unproved.map(({ id }) => id).toSorted()).toEqual(Object.keys(refusalsWithoutControl).toSorted());
});
