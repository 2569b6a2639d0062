import {
  authorizationRequest,
  type AuthorizationCode,
  type Client,
  codeExchange,
  postToken,
  requireTokens,
  unguessable,
} from "../../actors/oauth-client.ts";
import { obtainCode } from "../../actors/authorization.ts";
import { clientFor, requireDynamicRegistration, sharedClient } from "../../material/clients.ts";
import { type Grant, grantsAreIndependent } from "../../material/grants.ts";
import type { WhichHuman } from "../../actors/human.ts";
import type { Target } from "../../target/target.ts";

/**
 * A code whose grant is independent of all other grants of this run. On a target that keeps one grant per person and client it
 * gets a new client.
 *
 * @throws {BlockedError} when that needs a new client and the profile does not allow registration
 * @throws {InconclusiveError} control-refused, when the target issues no code
 */
export async function separateCode(target: Target, human: WhichHuman = "first"): Promise<AuthorizationCode> {
  return obtainCode(target, authorizationRequest(target, await separateClient(target)), { human });
}

async function separateClient(target: Target): Promise<Client> {
  if (await grantsAreIndependent(target)) return sharedClient(target, "public");
  requireDynamicRegistration(
    target,
    "a client per grant, because this target keeps one grant per person and client",
  );
  return clientFor(target, "public", `load:${unguessable()}`);
}

/** Redeems a {@link separateCode}. */
export async function separateGrant(target: Target, human: WhichHuman = "first"): Promise<Grant> {
  const code = await separateCode(target, human);
  const response = await postToken(target, codeExchange(code));
  return { client: code.client, tokens: requireTokens(response, "a valid code exchange"), response };
}

export async function separateGrants(target: Target, count: number): Promise<Grant[]> {
  const grants: Grant[] = [];
  while (grants.length < count) grants.push(await separateGrant(target));
  return grants;
}
