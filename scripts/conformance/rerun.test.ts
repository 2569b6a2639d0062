import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Run } from "../../reports/run-format.ts";
import { type Ended, startMailproof } from "../mailproof-process.ts";
import { type DefectiveTarget, startDefectiveTarget } from "./defective-target.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
let target: DefectiveTarget;

beforeAll(async () => {
  target = await startDefectiveTarget();
});
afterEach(() => {
  target.isDefective = () => true;
});
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true });
});

function conformance(out: string, ...args: readonly string[]): Promise<Ended> {
  const profile = target.profile(folder);
  return startMailproof(["conformance", "--target", profile, "--out", out, ...args], target.env).ended;
}

function newOut(): string {
  return mkdtempSync(join(folder, "runs-"));
}

function newest(out: string): Run {
  const name = readdirSync(out).toSorted().at(-1) ?? "";
  return JSON.parse(readFileSync(join(out, name, "run.json"), "utf8")) as Run;
}

const ids = (run: Run): string[] => run.checks.map(({ id }) => id);

test("--rerun-failed judges what failed in the newest run of the target, until nothing does", async () => {
  const out = newOut();
  const first = await conformance(out, "--check", "REDIR-08", "--no-repeat");
  expect(first.code).toBe(1);
  const failed = newest(out).checks.filter(({ verdict }) => verdict === "fail");
  expect(failed.map(({ id }) => id)).toContain("REDIR-08/upper-case-host");

  const again = await conformance(out, "--rerun-failed", "--no-repeat");
  expect(again.code).toBe(1);
  expect(ids(newest(out))).toEqual(failed.map(({ id }) => id));

  target.isDefective = () => false;
  const fixed = await conformance(out, "--last-failed");
  expect(fixed.code).toBe(0);
  const nothing = await conformance(out, "--rerun-failed");
  expect(nothing.out).toContain("so there is nothing to run again");
  expect(nothing.code).toBe(3);
  // Of a run that is named, whatever came after it.
  const [oldest = ""] = readdirSync(out).toSorted();
  const named = await conformance(out, "--rerun-failed", join(out, oldest), "--list");
  expect(named.out).toContain(`${failed.length} checks of`);
});

test("--rerun-failed remembers what a run that was ended early, or of other checks, did not judge", async () => {
  const out = newOut();
  await conformance(out, "--check", "REDIR-08", "--no-repeat");
  const failed = newest(out).checks.filter(({ verdict }) => verdict === "fail");
  expect(failed.length).toBeGreaterThan(1);
  target.isDefective = () => false;
  const other = await conformance(out, "--check", failed[0]?.id ?? "");
  expect(other.code).toBe(0);
  const rest = await conformance(out, "--rerun-failed", "--no-repeat");
  expect(rest.code).toBe(0);
  expect(ids(newest(out))).toEqual(failed.slice(1).map(({ id }) => id));
});

test("--rerun-failed names a run that cannot be read, and goes by the others", async () => {
  const out = newOut();
  await conformance(out, "--check", "REDIR-08", "--no-repeat");
  const failed = newest(out).checks.filter(({ verdict }) => verdict === "fail");
  await conformance(out, "--check", "REDIR-08", "--no-repeat");
  const [, damaged = ""] = readdirSync(out).toSorted();
  writeFileSync(join(out, damaged, "run.json"), "{}");
  const listed = await conformance(out, "--rerun-failed", "--list");
  expect(listed.err).toContain(damaged);
  expect(listed.out).toContain(`${failed.length} checks of`);
});

test("--bail ends a run that has found enough, as incomplete", async () => {
  const out = newOut();
  const { code } = await conformance(out, "--suite", "redirect-uri", "--bail", "--no-repeat");
  const run = newest(out);
  expect(code).toBe(1);
  expect(run.isComplete).toBe(false);
  expect(run.counts.fail).toBeGreaterThanOrEqual(1);
  expect(run.checks.every(({ reason = "" }) => !reason.includes("interrupted"))).toBe(true);
});

test("--list sends nothing and counts what --level selects", async () => {
  const out = newOut();
  const all = await conformance(out, "--list", "--suite", "metadata");
  const should = await conformance(out, "--list", "--suite", "metadata", "--level", "should");
  expect(all.out).toMatch(/^metadata \(\d+\)$/mu);
  expect(should.out).toMatch(/\d+ SHOULD; nothing was sent$/mu);
  expect(should.out).not.toContain("MUST ");
  expect(readdirSync(out)).toEqual([]);
  expect([all.code, should.code]).toEqual([0, 0]);
});

test("what cannot be used is refused", async () => {
  const cases = [
    { args: ["--level", "MUSTNT"], says: "there is no level MUSTNT; there are MUST, SHOULD, MAY, OBSERVE" },
    { args: ["--bail", "0"], says: "--bail 0: expected a whole number from 1" },
    { args: ["--seed", "x"], says: "--seed x: expected a whole number" },
    { args: ["--rerun-failed", "no-such-run"], says: "no-such-run" },
    { args: ["--rerun-failed"], says: `there is no run of ${target.authUrl}` },
  ];
  const ended = await Promise.all(cases.map(({ args }) => conformance(newOut(), ...args)));
  for (const [at, { says }] of cases.entries()) {
    expect(ended[at]?.err).toContain(says);
    expect(ended[at]?.code).toBe(2);
  }
});

describe("a failure is judged again alone, and reported as", () => {
  const judged = async (): Promise<{ run: Run; ended: Ended; junit: string }> => {
    const out = newOut();
    const ended = await conformance(out, "--check", "REDIR-08/upper-case-host");
    const [name = ""] = readdirSync(out);
    return { run: newest(out), ended, junit: readFileSync(join(out, name, "junit.xml"), "utf8") };
  };

  test("deterministic", async () => {
    const { run, ended, junit } = await judged();
    expect(run.checks[0]).toMatchObject({ verdict: "fail", reproduced: { tried: 3, failed: 3 } });
    expect(ended.out).toContain("repeated  deterministic: failed all 3 times that it was judged alone");
    expect(junit).toContain("repeated  deterministic: failed all 3 times");
    expect(ended.code).toBe(1);
  });

  test("racy, and is a failure still", async () => {
    let comparisons = 0;
    // An experiment compares twice where it is accepted, before and after the sign-in, and once where it is refused.
    target.isDefective = () => (comparisons += 1) % 3 !== 0;
    const { run, ended } = await judged();
    expect(run.checks[0]).toMatchObject({ verdict: "fail", reproduced: { tried: 10, failed: 5 } });
    expect(ended.out).toContain(
      "racy: failed 5 of 10 times that it was judged alone (50 %; 95 % interval 19",
    );
    expect(ended.code).toBe(1);
  });

  test("not reproduced, and is a failure still", async () => {
    let comparisons = 0;
    target.isDefective = () => (comparisons += 1) <= 2;
    const { run, ended } = await judged();
    expect(run.checks[0]).toMatchObject({ verdict: "fail", reproduced: { tried: 3, failed: 0 } });
    expect(ended.out).toContain("not reproduced: passed all 3 times that it was judged alone");
    expect(ended.code).toBe(1);
  });
});
