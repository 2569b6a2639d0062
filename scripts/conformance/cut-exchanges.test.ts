import { expect, test } from "vitest";
import { exampleCheck, exampleExchange } from "../../reports/example-run.ts";
import type { ExchangeRole, RunVerdict } from "../../reports/run-format.ts";
import { cutExchanges } from "./cut-exchanges.ts";

function isCut(verdict: RunVerdict, role: ExchangeRole): boolean {
  const check = exampleCheck({ verdict, exchanges: [{ number: 0, role }] });
  return cutExchanges([exampleExchange(0)], [check])[0]?.isCut ?? false;
}

test("what prepared a check that passed is cut", () => {
  for (const verdict of ["pass", "observed"] as const)
    for (const role of ["setup", "waited"] as const) expect(isCut(verdict, role)).toBe(true);
});

test("a claim, its control, and all of a check that did not pass are kept", () => {
  for (const role of ["control", "subject"] as const) expect(isCut("pass", role)).toBe(false);
  for (const verdict of ["fail", "warn", "inconclusive", "blocked"] as const)
    expect(isCut(verdict, "setup")).toBe(false);
});

test("what one check needs is kept, whatever it was to others", () => {
  const passed = exampleCheck({ exchanges: [{ number: 0, role: "setup" }] });
  const failed = exampleCheck({ verdict: "fail", exchanges: [{ number: 0, role: "setup" }] });
  expect(cutExchanges([exampleExchange(0)], [passed, failed])).toEqual([exampleExchange(0)]);
});

test("of an exchange that is cut, the first lines stay", () => {
  const passed = exampleCheck({ exchanges: [{ number: 0, role: "setup" }] });
  expect(cutExchanges([exampleExchange(0, { isChunked: true })], [passed])).toEqual([
    {
      number: 0,
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 5,
      isCut: true,
      request: { method: "POST", url: "https://auth.example/oauth/token", headers: [], body: "" },
      response: { status: 400, headers: [], body: "" },
    },
  ]);
});
