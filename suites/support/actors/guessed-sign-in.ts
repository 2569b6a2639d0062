import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type AttemptRequest, openedIn } from "./authorization.ts";
import { responseParameter } from "./client-redirects.ts";
import type { HumanSession } from "./human.ts";

/** What somebody got who typed a wrong password, and the browser that they did it in. */
export interface GuessedAttempt {
  readonly guesser: HumanSession;
  readonly exchange: Exchange;
  readonly hasCode: boolean;
  /** It ended before a password was asked for. */
  readonly isTurnedAway: boolean;
}

/**
 * An authorization by somebody who knows the first person's name and types a wrong password where one is asked for.
 *
 * @throws {InconclusiveError} consent-stuck, when a page was not understood
 */
export async function attemptByGuesser(
  target: Target,
  guesser: HumanSession,
  request: AttemptRequest,
): Promise<GuessedAttempt> {
  const journey = await target.exclusively("human:first", () =>
    guesser.authorize(target.setup, { ...openedIn(target, request), decision: "approve" }),
  );
  const { last } = journey;
  const isTurnedAway = journey.kind === "ended" && !journey.isAtSignIn;
  if (last === undefined || (isTurnedAway && journey.isStuck))
    throw new InconclusiveError(
      "consent-stuck",
      "a wrong password was not typed, or led to a page that was not understood",
      { exchange: last },
    );
  target.cite(last);
  const hasCode = journey.kind === "left" && responseParameter(journey.location, "code") !== undefined;
  return { guesser, exchange: last, hasCode, isTurnedAway };
}
