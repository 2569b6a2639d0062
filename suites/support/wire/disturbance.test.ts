import { expect, test } from "vitest";
import { usedInTime } from "./disturbance.ts";
import type { Exchange } from "./exchange.ts";

function answered(status: number): Exchange {
  return {
    number: 1,
    request: { method: "POST", url: "https://auth.example/oauth/token", headers: [], body: "" },
    response: { status, headers: [], body: "" },
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
  };
}

/** Uses that are all late, or all in time. */
async function usesOf(statuses: readonly number[], isLate: boolean) {
  let uses = 0;
  const used = await usedInTime(1000, () => {
    const status = statuses[Math.min(uses, statuses.length - 1)] ?? 0;
    uses += 1;
    return Promise.resolve({
      exchange: answered(status),
      readyAtMs: performance.now() - (isLate ? 2000 : 0),
    });
  });
  return { uses, status: used.exchange.response.status };
}

test.for([
  { what: "refused in time", statuses: [400], isLate: false, uses: 1, status: 400 },
  { what: "refused too late, and used again", statuses: [400, 200], isLate: true, uses: 2, status: 200 },
  { what: "accepted too late", statuses: [200], isLate: true, uses: 1, status: 200 },
  { what: "refused too late every time", statuses: [400], isLate: true, uses: 3, status: 400 },
])("what lives for a moment is $what", async ({ statuses, isLate, uses, status }) => {
  expect(await usesOf(statuses, isLate)).toEqual({ uses, status });
});
