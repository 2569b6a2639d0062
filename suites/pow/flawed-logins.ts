import { type Check, check } from "../support/judging/check.ts";
import { openSession } from "../support/actors/agent.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { expectPowRefused } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { type CorrectLogin, correctLogin, outcome } from "./session-requests.ts";

/** One flaw in how an otherwise correct login is sent. */
export interface Flaw {
  readonly id: string;
  /** Reads after "A login". */
  readonly words: string;
  readonly send: (target: Target, login: CorrectLogin) => Promise<Exchange>;
  /** The document leaves open whether this is a flaw. */
  readonly isOpen?: true;
}

/**
 * Checks for the flaws of one batch, which share a single proof of work where that proves as much: the flawed requests go
 * out one by one with the same challenge, and then the correct one. When that is accepted, the challenge was good all along, so each refusal
 * was for its own flaw. When it is not, the target accepted one of them or uses a challenge up by a refusal, and each
 * flaw is sent again with a challenge of its own.
 */
export function flawChecks(batch: string, flaws: readonly Flaw[]): Check[] {
  return flaws.map((flaw) =>
    check({
      id: flaw.id,
      claim: flaw.isOpen
        ? `What a login ${flaw.words} gets.`
        : `A login ${flaw.words}, but right in everything else, is refused.`,
      needs: [],
      async act(target) {
        const together = await sentTogether(target, batch, flaws);
        return together?.get(flaw.id) ?? flaw.send(target, await correctLogin(target));
      },
      assert(exchange) {
        if (!flaw.isOpen) return expectPowRefused(exchange);
        if (!isSuccess(exchange)) expectPowRefused(exchange);
        return outcome(exchange);
      },
    }),
  );
}

/** The answers by flaw, or undefined when the correct request was refused in the end. */
export function sentTogether(
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
    return isSuccess(correct) ? answers : undefined;
  });
}
