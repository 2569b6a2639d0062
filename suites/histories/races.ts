import { stateAfter, withDoubt } from "./grant-changes.ts";
import { grantOfTokens, isPossible, type State, type Step } from "./grants.ts";
import { expectationOf } from "./model.ts";

/** What was under way together with a request, as far as it matters to its answer. */
export interface Race {
  /** `same token`: another request for the same tokens. `same grant`: another that changes its grant. */
  readonly rivals: "same token" | "same grant" | "none";
  /** The end of a grant may not have reached every part of the target yet. */
  readonly mayBeLate: boolean;
}

/**
 * The states that may follow a request that was sent together with others.
 *
 * @param isAccepted - undefined without an answer
 * @returns none where the document does not allow this answer in this state
 */
export function statesAfterRace(
  state: State,
  step: Step,
  isAccepted: boolean | undefined,
  race: Race,
): readonly State[] {
  if (!isPossible(state, step)) return [];
  if (isAccepted === undefined)
    return [true, false].flatMap((either) => statesAfterRace(state, step, either, race));
  const expected = expectationOf(state, step);
  const after = stateAfter(state, step, isAccepted);
  if (expected.answer === "any" || (expected.answer === "accepted") === isAccepted) {
    const isBeaten = step.kind === "refresh" && !isAccepted && race.rivals === "same token";
    // REFRESH-08 leaves open whether the loser of a race ends the grant.
    if (isBeaten) return [withDoubt(state, step)];
    // Where the end of a grant may still be on its way, a refresh that succeeds does not show that the grant lives.
    return mayBeEnding(state, step, race) && isAccepted ? [after, withDoubt(after, step)] : [after];
  }
  if (isAccepted) return race.mayBeLate && lateEnds.has(expected.requirement) ? [after] : [];
  // Nothing says that one of several requests that collide has to succeed.
  return race.rivals === "none" || step.kind === "use" ? [] : [withDoubt(state, step)];
}

function mayBeEnding(state: State, step: Step, { mayBeLate }: Race): boolean {
  return mayBeLate && step.kind === "refresh" && grantOfTokens(state, step.tokens)[1].fate.kind === "unknown";
}

/** Requirements that refuse a credential since its grant has ended. */
export const lateEnds: ReadonlySet<string> = new Set([
  "REFRESH-04",
  "REFRESH-05",
  "REFRESH-19",
  "REVOKE-03",
  "REVOKE-04",
]);
