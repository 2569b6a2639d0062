import { expect, test } from "vitest";
import { renderCtrf } from "./ctrf.ts";
import { exampleCheck, exampleRun } from "./example-run.ts";
import { schemaErrors } from "./schema-errors.ts";

test.for([
  { verdict: "pass", status: "passed" },
  { verdict: "fail", status: "failed" },
  { verdict: "warn", status: "passed" },
  { verdict: "observed", status: "passed" },
  { verdict: "inconclusive", status: "other" },
  { verdict: "blocked", status: "skipped" },
] as const)("$verdict is $status, and keeps its name", ({ verdict, status }) => {
  const text = renderCtrf(exampleRun([exampleCheck({ verdict, reason: "r" })]));
  expect(schemaErrors("ctrf", text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    results: {
      summary: { tests: 1, [status]: 1, start: 1_767_225_600_000, stop: 1_767_225_602_500 },
      tests: [{ testId: "REDIR-08/upper-case-host", status, rawStatus: verdict, duration: 1500 }],
    },
  });
});

test("checks that the profile left out are skipped with the key that they need", () => {
  const leftOut = [{ needs: "internal_urls: the addresses", checks: ["INT-01/get"] }];
  const text = renderCtrf(exampleRun([], { leftOut }));
  expect(schemaErrors("ctrf", text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    results: {
      summary: { tests: 1, skipped: 1 },
      tests: [{ name: "INT-01/get", status: "skipped", message: "needs internal_urls: the addresses" }],
    },
  });
});
