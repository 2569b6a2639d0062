import { expect, test } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { createEvidence, holdsSpent, type SentAs } from "./evidence.ts";

function sessionRequest(number: number, status: number, challenge: string): Exchange {
  return {
    number,
    startedAt: "",
    durationMs: 0,
    request: {
      method: "POST",
      url: "https://auth.example/api/v1/session",
      headers: [["Authorization", `Bearer ${challenge}`]],
      body: "{}",
    },
    response: { status, headers: [], body: "" },
  };
}

test.for<readonly [words: string, isSpent: boolean, ...sent: (readonly [SentAs, Exchange])[]]>([
  [
    "refused when it was sent again",
    true,
    ["waited", sessionRequest(1, 429, "a")],
    ["direct", sessionRequest(2, 401, "a")],
  ],
  [
    "accepted when it was sent again",
    false,
    ["waited", sessionRequest(1, 429, "a")],
    ["direct", sessionRequest(2, 200, "a")],
  ],
  [
    "followed by another that is refused",
    false,
    ["waited", sessionRequest(1, 429, "a")],
    ["direct", sessionRequest(2, 401, "b")],
  ],
  [
    "lost before it was refused",
    false,
    ["waited", sessionRequest(1, 0, "a")],
    ["direct", sessionRequest(2, 401, "a")],
  ],
  ["refused for the limit, which is what is judged", false, ["direct", sessionRequest(1, 429, "a")]],
])("a request that is %s: a limit may have spent what it carries: %s", ([, isSpent, ...sent]) => {
  const evidence = createEvidence();
  for (const [sentAs, exchange] of sent) evidence.add({ exchange, sentAs, isShared: false });
  expect(holdsSpent(evidence)).toBe(isSpent);
});
