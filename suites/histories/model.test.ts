import { expect, test } from "vitest";
import { stateAfter } from "./grant-changes.ts";
import { type Action, noGrants, type State } from "./grants.ts";
import { type Expectation, expectationOf, expectationOfAccessToken, mayHoldSend } from "./model.ts";

const whole = { kind: "authorize", client: "public", human: "first", isNarrowed: false } as const;
const narrowed = { ...whole, isNarrowed: true } as const;
const ofSecondPerson = { ...whole, human: "second" } as const;
const exchanged = { kind: "exchange", code: 1, by: "public" } as const;

function refresh(tokens: number, by: "public" | "other" = "public", isWidening = false) {
  return { kind: "refresh", tokens, by, isWidening } as const;
}

function revoke(tokens: number, token: "access" | "refresh" = "refresh"): Action {
  return { kind: "revoke", tokens, token, by: "public" };
}

/** The state after these actions, each answered as the document says, and accepted where it says nothing. */
function after(...actions: readonly Action[]): State {
  return actions.reduce<State>((state, action, at) => {
    const { answer } = expectationOf(state, action);
    return stateAfter(state, { ...action, number: at + 1 }, answer !== "refused");
  }, noGrants);
}

function words(expectation: Expectation): string {
  return expectation.answer === "any" ? "any" : `${expectation.answer} ${expectation.requirement}`;
}

test.for<[name: string, before: readonly Action[], next: Action, expected: string]>([
  ["a fresh code", [whole], exchanged, "accepted CODE-12"],
  ["a used code", [whole, exchanged], exchanged, "refused CODE-01"],
  ["a used code after a refresh", [whole, exchanged, refresh(2)], exchanged, "refused CODE-03"],
  ["another client's code", [whole], { ...exchanged, by: "other" }, "refused CODE-05"],
  ["a code with another client's secret", [whole], { ...exchanged, by: "confidential" }, "refused CODE-06"],
  ["a code that another client presented", [whole, { ...exchanged, by: "other" }], exchanged, "any"],
  ["the newest refresh token", [whole, exchanged, refresh(2)], refresh(3), "accepted REFRESH-01"],
  ["the refresh token before it", [whole, exchanged, refresh(2)], refresh(2), "refused REFRESH-03"],
  ["an older one", [whole, exchanged, refresh(2), refresh(3)], refresh(2), "refused REFRESH-06"],
  ["the newest after reuse", [whole, exchanged, refresh(2), refresh(2)], refresh(3), "refused REFRESH-04"],
  ["the newest after revocation", [whole, exchanged, revoke(2)], refresh(2), "refused REFRESH-19"],
  ["another client's refresh token", [whole, exchanged], refresh(2, "other"), "refused REFRESH-11"],
  ["a refresh after another client's", [whole, exchanged, refresh(2, "other")], refresh(2), "any"],
  ["a refresh after a replayed code", [whole, exchanged, exchanged], refresh(2), "any"],
  ["a refresh that names scopes", [whole, exchanged], refresh(2, "public", true), "any"],
])("the document about %s", ([, before, next, expected]) => {
  expect(words(expectationOf(after(...before), next))).toBe(expected);
});

test.for<[name: string, before: readonly Action[], tokens: number, expected: string]>([
  ["a fresh grant", [whole, exchanged], 2, "accepted BEARER-01"],
  ["the newest generation", [whole, exchanged, refresh(2)], 3, "accepted BEARER-01"],
  ["an older generation", [whole, exchanged, refresh(2)], 2, "any"],
  ["a grant that reuse has ended", [whole, exchanged, refresh(2), refresh(2)], 2, "refused REFRESH-05"],
  ["a grant revoked by refresh token", [whole, exchanged, revoke(2)], 2, "refused REVOKE-04"],
  ["a grant revoked by access token", [whole, exchanged, revoke(2, "access")], 2, "refused REVOKE-03"],
  ["a grant whose older token was revoked", [whole, exchanged, refresh(2), revoke(2)], 3, "any"],
  [
    "a grant beside one that reuse has ended",
    [whole, exchanged, refresh(2), ofSecondPerson, { ...exchanged, code: 4 }, refresh(2)],
    5,
    "accepted REFRESH-10",
  ],
  [
    "a grant beside a revoked one",
    [whole, exchanged, ofSecondPerson, { ...exchanged, code: 3 }, revoke(2)],
    4,
    "accepted REVOKE-09",
  ],
])("the document about the access token of %s", ([, before, tokens, expected]) => {
  expect(words(expectationOfAccessToken(after(...before), tokens, "JMAP"))).toBe(expected);
});

test("nothing revives a grant that reuse has ended", () => {
  const ended = after(whole, exchanged, refresh(2), refresh(2));
  const further = [refresh(3), revoke(3), exchanged].reduce<State>(
    (state, action, at) => stateAfter(state, { ...action, number: 10 + at }, false),
    ended,
  );
  expect(words(expectationOf(further, refresh(3)))).toBe("refused REFRESH-04");
});

test("a refused request for wider scopes leaves open whether the grant is still good", () => {
  const state = stateAfter(after(narrowed, exchanged), { ...refresh(2, "public", true), number: 3 }, false);
  expect(words(expectationOf(state, refresh(2)))).toBe("any");
  expect(words(expectationOfAccessToken(state, 2, "JMAP"))).toBe("any");
});

test("a grant that the person narrowed stays narrow", () => {
  const state = after(narrowed, exchanged, refresh(2));
  expect(mayHoldSend(state, refresh(3))).toBe(false);
  expect(mayHoldSend(after(whole, exchanged), refresh(2))).toBe(true);
});
