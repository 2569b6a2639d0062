import { expect, test } from "vitest";
import type { Verdict } from "../verdict.ts";
import { check } from "./check.ts";
import { type Attempt, settled, unsettled } from "./settle.ts";

const claim = check({ id: "META-01", claim: "c", act: async () => 0, assert: () => undefined });

/** `fail` in an undisturbed run, `fail~` in a disturbed one, `fail!` when its own evidence was disturbed. */
function attempts(texts: readonly string[]): Attempt[] {
  return texts.map((text) => ({
    result: {
      id: claim.id,
      check: claim,
      verdict: text.replace(/[~!]$/u, "") as Verdict,
      reason: "it was so",
      exchanges: [],
      durationMs: 1,
    },
    isSound: !text.endsWith("!"),
    wasRunDisturbed: /[~!]$/u.test(text),
  }));
}

test.for([
  { seen: ["fail"], says: "fail", why: "nothing was disturbed" },
  { seen: ["inconclusive"], says: "inconclusive", why: "nothing was disturbed" },
  { seen: ["pass~"], says: "pass", why: "what it rests on was not disturbed" },
  { seen: ["fail~"], says: undefined, why: "another check may have left something spoilt" },
  { seen: ["fail!"], says: undefined, why: "its own evidence is spoilt" },
  { seen: ["warn~"], says: undefined, why: "a warning accuses too" },
  { seen: ["pass!"], says: undefined, why: "the target was restarted meanwhile" },
  { seen: ["fail!", "pass~"], says: "pass", why: "it did not repeat" },
  { seen: ["fail!", "fail~"], says: "fail", why: "it repeated" },
  { seen: ["fail~", "fail~"], says: "fail", why: "it repeated" },
  { seen: ["fail~", "fail!"], says: undefined, why: "a spoilt repetition proves nothing" },
  { seen: ["fail~", "pass~"], says: undefined, why: "one of the two is wrong" },
  { seen: ["fail~", "pass~", "pass~"], says: "inconclusive", why: "a violation was seen nevertheless" },
  { seen: ["fail~", "pass~", "fail~"], says: "fail", why: "it repeated" },
  { seen: ["inconclusive~"], says: undefined, why: "fresh material may let it be judged" },
  { seen: ["inconclusive~", "inconclusive~"], says: "inconclusive", why: "fresh material did not help" },
  { seen: ["fail~", "blocked~"], says: "blocked", why: "the budget is used up" },
] as const)("$seen is $says: $why", ({ seen, says }) => {
  expect(settled(attempts(seen))?.verdict).toBe(says);
});

test("a violation that was never confirmed accuses nobody", () => {
  const result = unsettled(attempts(["fail!", "fail!"]));
  expect(result).toMatchObject({ verdict: "inconclusive" });
  expect(result).not.toHaveProperty("expected");
});
