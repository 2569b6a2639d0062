import { openSession, solvedChallenge } from "../support/actors/agent.ts";
import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postToken,
  refreshExchange,
} from "../support/actors/oauth-client.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";

// Requests that were accepted in this run, but for one value. `sender` is the target, changed where that is what is tried.

/** An authorization request without a session of a person. */
export async function authorizeWith(
  target: Target,
  parameter: string,
  value: string,
  sender: Target = target,
): Promise<Exchange> {
  const { parameters } = authorizationRequest(target, await authorizingClient(target));
  const url = authorizationUrl(target, replacing(parameters, parameter, value));
  return sender.send({ method: "GET", url });
}

/** A code exchange with a code of its own. */
export async function exchangeWith(
  target: Target,
  parameter: string,
  value: string,
  sender: Target = target,
): Promise<Exchange> {
  return postToken(sender, replacing(codeExchange(await redeemableCode(target)), parameter, value));
}

/** A refresh with another refresh token. */
export async function refreshWith(
  target: Target,
  refreshToken: string,
  sender: Target = target,
): Promise<Exchange> {
  const { client } = await refreshableGrant(target);
  return postToken(sender, refreshExchange(client, refreshToken));
}

/** A session request with a proof of work and this credential, where a right one has opened a session. */
export async function sessionWith(
  target: Target,
  credential: Readonly<Record<string, string>>,
): Promise<Exchange> {
  await provenAgent(target);
  const { challenge, proof } = await solvedChallenge(target.setup);
  return openSession(target, challenge.jwt, { ...proof, ...credential });
}
