import { type Check, check } from "../support/judging/check.ts";
import { openSession } from "../support/actors/agent.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { warning } from "../support/verdict.ts";
import { type CorrectLogin, correctLogin, expectRefused } from "./session-requests.ts";

/** One flaw in how an otherwise correct login is sent. */
export interface Flaw {
  readonly id: string;
  /** Reads after "A login". */
  readonly words: string;
  readonly send: (target: Target, login: CorrectLogin) => Promise<Exchange>;
  /** The proof of work is right, so that accepting it only warns. */
  readonly isTolerated?: true;
  /** The check that judges by itself the defect that lets this flaw through as well. */
  readonly explainedBy?: string;
}

/**
 * Checks for the flaws of one batch, which share a single proof of work where that proves as much: the flawed requests
 * go out one by one with the same challenge, and then the correct one. When that is accepted, the challenge was good all
 * along, so each refusal was for its own flaw. When it is not, the target accepted one of them, or a refusal spends the
 * challenge, as it may; then each flaw is sent again with a challenge of its own.
 */
export function flawChecks(batch: string, flaws: readonly Flaw[]): Check[] {
  return flaws.map(({ id, words, send, isTolerated, explainedBy }) =>
    check({
      id,
      claim: `A login ${words} is refused.`,
      async act(target) {
        const together = await sentTogether(target, batch, flaws);
        return together?.get(id) ?? send(target, await correctLogin(target));
      },
      assert(exchange) {
        if (isTolerated && isSuccess(exchange))
          return warning("accepted; the proof of work is right, so nothing is gained by it");
        return expectRefused(exchange, explainedBy);
      },
    }),
  );
}

/** The answers by flaw, or undefined when the correct request was refused in the end. */
function sentTogether(
  target: Target,
  batch: string,
  flaws: readonly Flaw[],
): Promise<ReadonlyMap<string, Exchange> | undefined> {
  return target.once(`pow:flaws:${batch}`, async (recording) => {
    const login = await correctLogin(recording);
    const answers = new Map<string, Exchange>();
    for (const { id, send } of flaws) {
      const answer = await send(recording, login);
      if (isSuccess(answer)) return undefined;
      answers.set(id, answer);
    }
    const correct = await openSession(recording, login.challenge.jwt, {
      ...login.proof,
      apiKey: login.apiKey,
    });
    if (!isSuccess(correct)) return undefined;
    recording.control.cite(correct);
    return answers;
  });
}
