import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { showProgress } from "./progress.ts";

function shownFor(changes: Partial<CheckResult>): string {
  const stream = new PassThrough();
  const progress = showProgress(1, stream);
  progress.finished({
    id: "META-02",
    check: check({ id: "META-02", claim: "It holds.", act: async () => 0, assert: () => {} }),
    verdict: "fail",
    reason: "expected a; observed b",
    exchanges: [],
    durationMs: 1,
    ...changes,
  });
  return String(stream.read());
}

test("a violation is shown as soon as it is found", () => {
  expect(shownFor({})).toContain("✗ META-02: expected a; observed b\n");
});

test("a violation that another check may explain is left to the report", () => {
  expect(shownFor({ explainedBy: "META-01" })).not.toContain("✗");
});

test("text from the target cannot move the cursor", () => {
  expect(shownFor({ reason: "observed \u{1B}[2K\u{202E}" })).toContain(
    String.raw`observed \u{1b}[2K\u{202e}`,
  );
});

/** What a terminal of so many columns gets while a tenth of the checks is judged, one each second. */
function shownOver(seconds: number, columns: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
  let nowMs = 0;
  const progress = showProgress(10 * seconds, stream, () => nowMs);
  for (let second = 0; second < seconds; second++) {
    progress.started("META-02");
    nowMs += 1000;
    progress.finished({ id: "META-02", verdict: "pass" });
  }
  return String(stream.read());
}

test("the time left is shown once there is something to go by", () => {
  expect(shownOver(3, 80)).not.toContain("left");
  expect(shownOver(5, 80)).toContain("5/50, less than 1 min left");
  expect(shownOver(20, 80)).toContain("20/200, about 3 min left");
});

test("on a terminal the line of progress is never broken, so that it can be rewritten", () => {
  const lines = shownOver(20, 24).split("\r\u{1B}[2K");
  expect(lines.length).toBeGreaterThan(20);
  expect(Math.max(...lines.map((line) => line.length))).toBe(23);
});

test("in a log there is no escape sequence, and a line every 15 seconds", () => {
  const stream = new PassThrough();
  let nowMs = 0;
  const progress = showProgress(100, stream, () => nowMs);
  for (let second = 0; second < 60; second++) {
    nowMs += 1000;
    progress.finished({ id: "META-02", verdict: "pass" });
  }
  progress.end();
  const shown = String(stream.read());
  expect(shown.trim().split("\n")).toHaveLength(4);
  expect(shown).not.toContain("\u{1B}");
});
