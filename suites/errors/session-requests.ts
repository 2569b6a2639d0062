import { openSession, solvedChallenge } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/** A session request with a proof of work and this credential, where a right one has opened a session. */
export async function sessionWith(
  target: Target,
  credential: Readonly<Record<string, string>>,
): Promise<Exchange> {
  await provenAgent(target);
  const { challenge, proof } = await solvedChallenge(target.setup);
  return openSession(target, challenge.jwt, { ...proof, ...credential });
}
