import { logIn, openSession, requestChallenge, solvedChallenge } from "../actors/agent.ts";
import type { Target } from "../target/target.ts";
import { isSuccess } from "../wire/exchange.ts";
import { sharedAgent } from "./agents.ts";

/**
 * Whether a challenge can still be used after as many newer ones were issued as checks have open at the same time. The
 * document is silent, so a target may let the newest void the others: then checks must not search for proofs beside each
 * other (C-92).
 */
export function challengesAreIndependent(target: Target): Promise<boolean> {
  return target.setup.once("challenges-stand-apart", async (recording) => {
    const { apiKey } = await sharedAgent(recording);
    const { challenge, proof } = await solvedChallenge(recording);
    for (let newer = 0; newer < recording.profile.budget.concurrency; newer += 1)
      await requestChallenge(recording);
    const login = await openSession(recording, challenge.jwt, { ...proof, apiKey });
    // A target that refuses every login tells nothing by refusing this one.
    return isSuccess(login) || !isSuccess(await logIn(recording, apiKey));
  });
}
