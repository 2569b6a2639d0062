import {
  linearize,
  mostOperations,
  type Operation,
  type Specification,
  withoutBystanders,
} from "./linearizability.ts";
import { grantOf, isPossible, type State } from "./grants.ts";
import { type Expectation, expectationOf } from "./model.ts";
import { type Race, statesAfterRace } from "./races.ts";
import type { Request } from "./requests.ts";

/** A request of a burst, or of the look at what followed, and what it was answered. */
export interface Answered {
  readonly request: Request;
  /** Undefined without an answer that says yes or no. */
  readonly isAccepted: boolean | undefined;
  readonly race: Race;
}

export type BurstOperation = Operation<Answered>;

/** Why no order of the requests explains their answers. */
export interface Unexplained {
  /** Those that contradict one another; the others could be left out. */
  readonly operations: readonly BurstOperation[];
  /** The longest order of some of them that the document allows. */
  readonly fitting: readonly BurstOperation[];
  /** What the document says of each of the others after that. */
  readonly left: readonly { readonly operation: BurstOperation; readonly expected: Expectation }[];
}

const document: Specification<State, Answered> = {
  next: (state, { request, isAccepted, race }) => statesAfterRace(state, request, isAccepted, race),
  keyOf: (state) => JSON.stringify([...state]),
  alike({ request, isAccepted, race }) {
    const { number, ...call } = request;
    // What was issued has a name of its own; all else can be exchanged.
    const name = isAccepted === false || request.kind === "use" ? undefined : number;
    return JSON.stringify([call, isAccepted, race, name]);
  },
};

/** @returns undefined when some order explains all answers */
export function unexplained(state: State, operations: readonly BurstOperation[]): Unexplained | undefined {
  if (linearize(operations, state, document).kind === "explained") return undefined;
  const kept = withoutBystanders(operations, state, document, issuesForOthers);
  const found = linearize(kept, state, document);
  if (found.kind === "explained") return undefined;
  const left = kept.filter((operation) => !found.longest.includes(operation));
  return {
    operations: kept,
    fitting: found.longest,
    left: left.map((operation) => {
      const { request } = operation.call;
      const expected: Expectation = isPossible(found.state, request)
        ? expectationOf(found.state, request)
        : { answer: "any" };
      return { operation, expected };
    }),
  };
}

function issuesForOthers({ call: { request } }: BurstOperation, others: readonly BurstOperation[]): boolean {
  return others.some(({ call }) => "tokens" in call.request && call.request.tokens === request.number);
}

/** What came back from a request that was sent together with others. */
export interface Sent {
  readonly request: Request;
  readonly isAccepted: boolean | undefined;
  readonly calledAt: number;
  readonly returnedAt: number;
}

/** @param mayBeLate - the end of a grant may not have reached every part of the target yet */
export function operationsOf(state: State, sent: readonly Sent[], mayBeLate: boolean): BurstOperation[] {
  if (sent.length > mostOperations) throw new RangeError(`at most ${mostOperations} requests at once`);
  return sent.map((one) => {
    const { request, isAccepted, calledAt, returnedAt } = one;
    const race = { rivals: rivalsOf(state, one, sent), mayBeLate };
    return {
      call: { request, isAccepted, race },
      calledAt,
      returnedAt: isAccepted === undefined ? Infinity : returnedAt,
    };
  });
}

function rivalsOf(state: State, one: Sent, all: readonly Sent[]): Race["rivals"] {
  const overlapping = all.filter(
    (other) => other !== one && other.calledAt <= one.returnedAt && one.calledAt <= other.returnedAt,
  );
  const { request } = one;
  const winners = overlapping.filter(({ request: other, isAccepted }) => {
    if (isAccepted === false || other.kind !== "refresh") return false;
    return request.kind === "refresh" && other.tokens === request.tokens;
  });
  if (winners.length > 0) return "same token";
  const changing = overlapping.filter(
    ({ request: other }) =>
      other.kind !== "use" &&
      isPossible(state, other) &&
      isPossible(state, request) &&
      grantOf(state, other) === grantOf(state, request),
  );
  return changing.length > 0 ? "same grant" : "none";
}
