import { expect, test } from "vitest";
import { exampleCheck, exampleRun } from "../../reports/example-run.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import { certifiableRun } from "../certificate/example-certificate.ts";
import { obstacles } from "./obstacles.ts";

const good = certifiableRun();
const ids = good.checks.map(({ id }) => id);
const frozen = { ...good.suite, checks: ids };

function withCheck(changes: Partial<RunCheck>): Run {
  const [, ...others] = good.checks;
  return { ...good, checks: [exampleCheck({ id: "REDIR-08/case-0", ...changes }), ...others] };
}

test("nothing stands in the way of passes, warnings and observations", () => {
  expect(obstacles(good, frozen)).toEqual([]);
  expect(obstacles(withCheck({ verdict: "warn" }), frozen)).toEqual([]);
  expect(obstacles(withCheck({ verdict: "observed" }), frozen)).toEqual([]);
});

test("a check that the profile has no key for is left out, and no obstacle", () => {
  const [, ...others] = good.checks;
  const leftOut = [{ needs: "internal_urls: addresses", checks: ["REDIR-08/case-0"] }];
  expect(obstacles({ ...good, checks: others, leftOut }, frozen)).toEqual([]);
});

const { fingerprint: _fingerprint, ...unknownTarget } = good.target;

test.for<{ run: Run; says: string }>([
  { run: withCheck({ verdict: "fail", observed: "200" }), says: "REDIR-08/case-0: fails: 200" },
  {
    run: withCheck({ verdict: "fail", known: "until 4.2" }),
    says: "REDIR-08/case-0: fails, which the profile knows (until 4.2)",
  },
  {
    run: withCheck({ verdict: "inconclusive", reason: "no answer" }),
    says: "REDIR-08/case-0: is inconclusive: no answer",
  },
  {
    run: withCheck({ verdict: "blocked", reason: "no human" }),
    says: "REDIR-08/case-0: is blocked: no human",
  },
  {
    run: withCheck({ verdict: "inconclusive", reason: "it threw", defect: true }),
    says: "REDIR-08/case-0: a defect of mailproof itself: it threw",
  },
  { run: { ...good, isComplete: false }, says: "the run was interrupted" },
  { run: { ...good, isReadOnly: true }, says: "the run was read-only, so most checks could not be judged" },
  {
    run: { ...good, checks: good.checks.slice(2) },
    says: "2 of 5 checks were not selected: REDIR-08/case-0, REDIR-08/case-1",
  },
  {
    run: { ...good, suite: { ...good.suite, version: "9.9.9" } },
    says: `mailproof 9.9.9 made the run; this is ${good.suite.version}`,
  },
  {
    run: { ...good, suite: { ...good.suite, checksSha256: "f".repeat(64) } },
    says: "the run chose from other checks or requirements than those that come with this mailproof",
  },
  {
    run: { ...good, target: unknownTarget },
    says: "the target gave nothing to know it by: no metadata, no keys",
  },
  { run: { ...good, knownProblems: ["X-01: the entry expired"] }, says: "X-01: the entry expired" },
])("$says", ({ run, says }) => {
  expect(obstacles(run, frozen)).toEqual([says]);
});

test("a run of nothing", () => {
  const nothing = exampleRun([], { target: good.target, suite: good.suite });
  expect(obstacles(nothing, frozen)).toContain("nothing was judged");
});
