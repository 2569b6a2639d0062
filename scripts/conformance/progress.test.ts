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
