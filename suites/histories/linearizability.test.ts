import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../support/pow/property-settings.ts";
import { linearize, mostOperations, type Operation, type Specification } from "./linearizability.ts";

/** A token that can be used once, until it is revoked, and whether a use or a look at it found it good. */
type Call =
  | { readonly kind: "use" | "look"; readonly found: boolean | undefined }
  | { readonly kind: "revoke"; readonly found: boolean | undefined };

type Token = "fresh" | "used" | "revoked";

const singleUse: Specification<Token, Call> = {
  next(token, { kind, found }) {
    if (kind === "revoke") return ["revoked"];
    const isGood = token === "fresh";
    if (found !== undefined && found !== isGood) return [];
    return [kind === "use" && isGood ? "used" : token];
  },
  keyOf: (token) => token,
  alike: ({ kind, found }) => `${kind} ${found}`,
};

/** Tries every order of every choice of unanswered operations. */
function isExplained(operations: readonly Operation<Call>[], token: Token): boolean {
  if (operations.every(({ returnedAt }) => returnedAt === Infinity)) return true;
  return operations.some((operation) => {
    const others = operations.filter((other) => other !== operation);
    if (others.some(({ returnedAt }) => returnedAt < operation.calledAt)) return false;
    return singleUse.next(token, operation.call).some((next) => isExplained(others, next));
  });
}

const operation = fc
  .record({
    kind: fc.constantFrom("use", "look", "revoke"),
    found: fc.boolean(),
    calledAt: fc.integer({ min: 0, max: 12 }),
    lasting: fc.integer({ min: 0, max: 8 }),
    isAnswered: fc.oneof(
      { weight: 5, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
  })
  .map(({ kind, found, calledAt, lasting, isAnswered }): Operation<Call> => ({
    call: { kind, found: isAnswered ? found : undefined },
    calledAt,
    returnedAt: isAnswered ? calledAt + lasting : Infinity,
  }));

test("a history is explained exactly when some order of it is", () => {
  let unexplained = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 2, maxLength: 6 }), (operations) => {
      const expected = isExplained(operations, "fresh");
      if (!expected) unexplained += 1;
      expect(linearize(operations, "fresh", singleUse).kind === "explained").toBe(expected);
    }),
    { ...propertySettings, numRuns: 4000 },
  );
  expect(unexplained).toBeGreaterThan(1000);
});

test("the order that explains a history is one that the specification allows", () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 2, maxLength: 10 }), (operations) => {
      const found = linearize(operations, "fresh", singleUse);
      if (found.kind === "unexplained") return;
      let states: readonly Token[] = ["fresh"];
      for (const [at, { call, calledAt }] of found.order.entries()) {
        states = states.flatMap((state) => singleUse.next(state, call));
        expect(states).not.toEqual([]);
        expect(found.order.slice(at + 1).every(({ returnedAt }) => returnedAt >= calledAt)).toBe(true);
      }
    }),
    { ...propertySettings, numRuns: 1000 },
  );
});

/** Each of them used another token of a chain, so that no two are alike, and two say that they were the last. */
function longestRefuted(count: number): Operation<number>[] {
  return Array.from({ length: count }, (_, at) => ({
    call: Math.min(at, count - 2),
    calledAt: 0,
    returnedAt: count + at,
  }));
}

test("the largest history of alike operations is refuted in less than a second", () => {
  const uses = Array.from({ length: mostOperations }, (_, at): Operation<Call> => ({
    call: { kind: "use", found: at < 2 },
    calledAt: 0,
    returnedAt: 100 + at,
  }));
  const startedAt = performance.now();
  const found = linearize(uses, "fresh", singleUse);
  expect(performance.now() - startedAt).toBeLessThan(1000);
  expect(found.kind).toBe("unexplained");
  expect(found.kind === "unexplained" && found.longest).toHaveLength(mostOperations - 1);
});

test("a history in which each operation needs another before it is refuted", () => {
  const chain: Specification<number, number> = {
    next: (state, call) => (call === state ? [state + 1] : []),
    keyOf: String,
    alike: String,
  };
  const found = linearize(longestRefuted(16), 0, chain);
  expect(found).toMatchObject({ kind: "unexplained", state: 15 });
});

test("more operations than fit are refused", () => {
  const uses = Array.from({ length: mostOperations + 1 }, (_, at): Operation<Call> => ({
    call: { kind: "use", found: true },
    calledAt: at,
    returnedAt: at,
  }));
  expect(() => linearize(uses, "fresh", singleUse)).toThrow(RangeError);
});
