import { logIn, openSession, requestChallenge, solvedChallenge } from "../actors/agent.ts";
import type { Target } from "../target/target.ts";
import { isSuccess } from "../wire/exchange.ts";
import { sharedAgent } from "./agents.ts";

/**
 * Whether a challenge can still be used after a newer one was issued. The document is silent, so a target may let the newest
 * void the others: then checks must not search for proofs beside each other.
 */
export function challengesStandApart(target: Target): Promise<boolean> {
  return target.setup.once("challenges-stand-apart", async (recording) => {
    const { apiKey } = await sharedAgent(recording);
    const { challenge, proof } = await solvedChallenge(recording);
    await requestChallenge(recording);
    const login = await openSession(recording, challenge.jwt, { ...proof, apiKey });
    // A target that refuses every login tells nothing by refusing this one.
    return isSuccess(login) || !isSuccess(await logIn(recording, apiKey));
  });
}
