import { expect, test } from "vitest";
import type { Exchange } from "../support/wire/exchange.ts";
import { wasLost } from "./races.checks.ts";

function answered(status: number): Exchange {
  return {
    number: 0,
    startedAt: "",
    durationMs: 0,
    request: { method: "POST", url: "https://auth.example/oauth/token", headers: [], body: "" },
    response: { status, headers: [], body: "" },
  };
}

test.for([
  { why: "a superseded token was looked at", statuses: [200, 400, 429], lost: true },
  { why: "a lock refused it", statuses: [409, 200], lost: true },
  { why: "a limit turned all others away", statuses: [429, 200, 429, 503], lost: false },
  { why: "all of them won", statuses: [200, 200], lost: false },
])("whether somebody lost the race: $lost, when $why", ({ statuses, lost }) => {
  expect(wasLost(statuses.map(answered))).toBe(lost);
});
