import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../support/pow/property-settings.ts";
import { operationsOf, type Sent, unexplained } from "./judge-burst.ts";
import { stateAfter } from "./grant-changes.ts";
import { type Action, isPossible, noGrants, type State } from "./grants.ts";
import { expectationOf } from "./model.ts";
import { candidatesOf } from "./next-step.ts";
import { randomNumbers } from "./random.ts";
import { isRequest, type Request } from "./requests.ts";

/** A grant that was refreshed once, and another of the same person. */
const opening: readonly Action[] = [
  { kind: "authorize", client: "public", human: "first", isNarrowed: false },
  { kind: "exchange", code: 1, by: "public" },
  { kind: "refresh", tokens: 2, by: "public", isWidening: false },
  { kind: "authorize", client: "other", human: "first", isNarrowed: false },
  { kind: "exchange", code: 4, by: "other" },
];

const before = opening.reduce<State>(
  (state, action, at) => stateAfter(state, { ...action, number: at + 1 }, true),
  noGrants,
);

const rotate: Action = { kind: "refresh", tokens: 3, by: "public", isWidening: false };
const reuse: Action = { ...rotate, tokens: 2 };
const revoke: Action = { kind: "revoke", tokens: 3, token: "refresh", by: "public" };
const bystander: Action = { kind: "refresh", tokens: 5, by: "other", isWidening: false };

type Told = readonly [action: Action, answer: "accepted" | "refused" | "unanswered"];

function sentFrom(told: readonly Told[], firstNumber: number, isTogether: boolean): Sent[] {
  return told.flatMap(([action, answer], at): Sent[] => {
    if (!isRequest(action)) return [];
    const request: Request = { ...action, number: firstNumber + at };
    const calledAt = isTogether ? 0 : firstNumber + at;
    const isAccepted = answer === "unanswered" ? undefined : answer === "accepted";
    return [{ request, isAccepted, calledAt, returnedAt: isTogether ? 1 : calledAt + 0.5 }];
  });
}

function isExplained(together: readonly Told[], after: readonly Told[] = [], mayBeLate = false): boolean {
  const operations = [
    ...operationsOf(before, sentFrom(together, 6, true), mayBeLate),
    ...operationsOf(before, sentFrom(after, 6 + together.length, false), false),
  ];
  return unexplained(before, operations) === undefined;
}

test.for<[name: string, together: readonly Told[], after: readonly Told[]]>([
  [
    "one of two refreshes",
    [
      [rotate, "accepted"],
      [rotate, "refused"],
    ],
    [],
  ],
  [
    "no refresh at all, since they collided",
    [
      [rotate, "refused"],
      [rotate, "refused"],
    ],
    [],
  ],
  [
    "a refresh whose winner was never told",
    [
      [rotate, "unanswered"],
      [rotate, "refused"],
    ],
    [],
  ],
  [
    "the loser of a race ends the grant",
    [
      [rotate, "accepted"],
      [rotate, "refused"],
    ],
    [[{ kind: "use", tokens: 6 }, "refused"]],
  ],
  [
    "the loser of a race ends nothing",
    [
      [rotate, "accepted"],
      [rotate, "refused"],
    ],
    [[{ kind: "use", tokens: 6 }, "accepted"]],
  ],
  [
    "a reuse ends the grant that was refreshed just before",
    [
      [reuse, "refused"],
      [rotate, "accepted"],
    ],
    [[{ kind: "use", tokens: 7 }, "refused"]],
  ],
  [
    "a revoked grant, and another one",
    [
      [revoke, "accepted"],
      [bystander, "accepted"],
    ],
    [[{ kind: "use", tokens: 3 }, "refused"]],
  ],
])("the document allows: %s", ([, together, after]) => {
  expect(isExplained(together, after)).toBe(true);
});

test.for<[name: string, together: readonly Told[], after: readonly Told[]]>([
  [
    "two winners",
    [
      [rotate, "accepted"],
      [rotate, "accepted"],
    ],
    [],
  ],
  [
    "a superseded token beside the current one",
    [
      [rotate, "accepted"],
      [reuse, "accepted"],
    ],
    [],
  ],
  [
    "a grant that lives after reuse",
    [
      [reuse, "refused"],
      [rotate, "accepted"],
    ],
    [[{ kind: "use", tokens: 7 }, "accepted"]],
  ],
  [
    "a grant that lives after its revocation",
    [
      [revoke, "accepted"],
      [{ kind: "use", tokens: 3 }, "accepted"],
    ],
    [[{ kind: "use", tokens: 3 }, "accepted"]],
  ],
  [
    "a bystander that is refused",
    [
      [reuse, "refused"],
      [bystander, "refused"],
    ],
    [],
  ],
  [
    "a bystander that is ended",
    [
      [revoke, "accepted"],
      [bystander, "accepted"],
    ],
    [[{ kind: "use", tokens: 7 }, "refused"]],
  ],
])("the document does not allow: %s", ([, together, after]) => {
  expect(isExplained(together, after)).toBe(false);
});

test("the end of a grant may be late while requests are under way, and not afterwards", () => {
  const together: readonly Told[] = [
    [reuse, "refused"],
    [{ kind: "use", tokens: 3 }, "accepted"],
    [rotate, "accepted"],
  ];
  expect(isExplained(together, [[{ kind: "use", tokens: 8 }, "refused"]], true)).toBe(true);
  expect(isExplained(together, [[{ kind: "use", tokens: 8 }, "accepted"]], true)).toBe(false);
});

test("the tokens of a refresh that succeeded while its grant was ending may end with it", () => {
  const race: Told[] = [
    [rotate, "accepted"],
    [rotate, "refused"],
  ];
  const told = (mayBeLate: boolean) => {
    const refreshed: Told = [{ ...rotate, tokens: 6 }, "accepted"];
    const used: Told = [{ kind: "use", tokens: 8 }, "refused"];
    return unexplained(before, [
      ...operationsOf(before, sentFrom(race, 6, true), mayBeLate),
      ...operationsOf(before, sentFrom([refreshed], 8, false), mayBeLate),
      ...operationsOf(before, sentFrom([used], 9, false), false),
    ]);
  };
  expect(told(true)).toBeUndefined();
  expect(told(false)).toBeDefined();
});

test("what a target answers one after the other is explained when it was sent together", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 8 }), (seed, size) => {
      const random = randomNumbers(seed);
      const candidates = [...before].flatMap(([number, grant]) =>
        candidatesOf(number, grant, ["public", "other"]).map(({ action }) => action),
      );
      let state = before;
      const told = Array.from({ length: size }, (_, at): Told => {
        const action = candidates[Math.floor(random() * candidates.length)] ?? rotate;
        if (!isPossible(state, action)) return [action, "refused"];
        const { answer } = expectationOf(state, action);
        const isAccepted = answer === "any" ? random() < 0.5 : answer === "accepted";
        state = stateAfter(state, { ...action, number: 6 + at }, isAccepted);
        return [action, isAccepted ? "accepted" : "refused"];
      });
      expect(isExplained(told)).toBe(true);
    }),
    { ...propertySettings, numRuns: 1000 },
  );
});
