import { expect, test } from "vitest";
import type { LoadProfileRun, LoadRun } from "../load-format.ts";
import { exampleBaseline, exampleLoadRun, exampleProfile, exampleThreshold } from "./example-load-run.ts";
import { runVerdict } from "./run-verdict.ts";

function profilesWith(...verdicts: LoadProfileRun["verdict"][]): LoadProfileRun[] {
  return verdicts.map((verdict, at) => exampleProfile({ name: `p${at}`, verdict }));
}

test.for<{ profiles: LoadProfileRun[]; changes?: Partial<LoadRun>; tone: string; text: string }>([
  {
    profiles: profilesWith("holds"),
    tone: "good",
    text: "the target passed: no violation, no missed threshold",
  },
  {
    profiles: [exampleProfile({ thresholds: [exampleThreshold({ verdict: "not-judged" })] })],
    tone: "good",
    text: "the target passed: no violation, no missed threshold (1 threshold not judged)",
  },
  {
    profiles: profilesWith("holds", "warns"),
    tone: "warning",
    text: "the target passed, with warnings in p1",
  },
  { profiles: profilesWith("warns", "missed"), tone: "bad", text: "thresholds were missed in p1" },
  {
    profiles: profilesWith("missed", "invalid", "violated"),
    tone: "bad",
    text: "the target violated the interface document under load in p2; thresholds were missed in p0; no verdict on p1",
  },
  { profiles: profilesWith("holds", "invalid"), tone: "unknown", text: "incomplete: no verdict on p1" },
  {
    profiles: profilesWith("holds"),
    changes: { isComplete: false },
    tone: "unknown",
    text: "incomplete: the run was interrupted",
  },
  {
    profiles: profilesWith("holds"),
    changes: { baseline: exampleBaseline },
    tone: "bad",
    text: "all judged thresholds passed, with 1 regression since 20251231T000000-base",
  },
  {
    profiles: profilesWith("holds"),
    changes: { shard: { index: 0, count: 2, startAt: "2026-01-01T00:00:00.000Z" } },
    tone: "unknown",
    text: "one shard of a run: merge all shards for a verdict",
  },
  { profiles: [], tone: "unknown", text: "nothing was measured" },
])("$text", ({ profiles, changes, tone, text }) => {
  expect(runVerdict(exampleLoadRun(profiles, changes))).toEqual({ tone, text });
});

test("a violation does not hide a missed threshold of the same profile, unless the measurement is invalid", () => {
  const thresholds = [exampleThreshold({ verdict: "missed", value: 0.4 })];
  const textOf = (invalid: LoadProfileRun["invalid"]): string =>
    runVerdict(exampleLoadRun([exampleProfile({ verdict: "violated", thresholds, invalid })])).text;
  expect(textOf([])).toContain("thresholds were missed in verify-forged");
  expect(textOf([{ cause: "machine", text: "a noisy machine" }])).not.toContain("thresholds were missed");
});
