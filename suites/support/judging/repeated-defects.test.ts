import { expect, test } from "vitest";
import { check } from "./check.ts";
import type { CheckResult } from "./judge.ts";
import { withoutRepeatedDefects } from "./repeated-defects.ts";

function failing(id: string, explainedBy?: string): CheckResult {
  return {
    check: check({ id, claim: "…", act: () => Promise.resolve(), assert: () => {} }),
    id,
    verdict: "fail",
    expected: "400",
    observed: "200",
    reason: "expected 400, observed 200",
    durationMs: 1,
    exchanges: [],
    ...(explainedBy !== undefined && { explainedBy }),
  };
}

function verdicts(...results: CheckResult[]): Record<string, CheckResult["verdict"]> {
  return Object.fromEntries(withoutRepeatedDefects(results).map(({ id, verdict }) => [id, verdict]));
}

test("a violation that another failing check judges by itself is inconclusive", () => {
  expect(verdicts(failing("TOKEN-01"), failing("CODE-03/a", "TOKEN-01"))).toEqual({
    "TOKEN-01": "fail",
    "CODE-03/a": "inconclusive",
  });
});

test("a requirement explains by any of its checks", () => {
  expect(verdicts(failing("ERR-01/a"), failing("RES-04", "ERR-01"))["RES-04"]).toBe("inconclusive");
});

test("a violation stands when the check that would explain it passes", () => {
  expect(verdicts(failing("CODE-03/a", "TOKEN-01"), failing("RES-04"))["CODE-03/a"]).toBe("fail");
});

test("an explanation that is explained itself counts", () => {
  const seen = verdicts(failing("A-01"), failing("B-01", "A-01"), failing("C-01", "B-01"));
  expect(seen).toEqual({ "A-01": "fail", "B-01": "inconclusive", "C-01": "inconclusive" });
});

test("violations that explain each other stand, whatever else fails", () => {
  const seen = verdicts(failing("A-01", "B-01"), failing("B-01", "A-01"), failing("C-01"));
  expect(seen).toEqual({ "A-01": "fail", "B-01": "fail", "C-01": "fail" });
});

test("the cases of one requirement do not explain each other by its name", () => {
  const seen = verdicts(failing("PKCE-13/a", "PKCE-13"), failing("PKCE-13/b", "PKCE-13"));
  expect(seen).toEqual({ "PKCE-13/a": "fail", "PKCE-13/b": "fail" });
});

test("the plain case of a requirement explains the others", () => {
  const seen = verdicts(failing("PKCE-13"), failing("PKCE-13/b", "PKCE-13"));
  expect(seen).toEqual({ "PKCE-13": "fail", "PKCE-13/b": "inconclusive" });
});

test("where a requirement and a check explain each other, the check that is named counts", () => {
  const seen = verdicts(failing("A-01/case", "B-01"), failing("B-01", "A-01"), failing("C-01", "B-01"));
  expect(seen).toEqual({ "A-01/case": "inconclusive", "B-01": "fail", "C-01": "inconclusive" });
});
