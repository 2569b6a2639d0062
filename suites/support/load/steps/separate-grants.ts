import {
  authorizationRequest,
  type AuthorizationCode,
  codeExchange,
  postToken,
  requireTokens,
  unguessable,
} from "../../actors/oauth-client.ts";
import { obtainCode } from "../../actors/authorization.ts";
import { clientFor, sharedClient } from "../../material/clients.ts";
import { type Grant, grantsStandApart } from "../../material/grants.ts";
import type { WhichHuman } from "../../actors/human.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError } from "../../verdict.ts";

/**
 * A code whose grant no other grant of this run touches, also on a target that keeps one grant for each person and client:
 * there it belongs to a client of its own.
 *
 * @throws {BlockedError} when the target is such a one and clients cannot be registered
 * @throws {InconclusiveError} control-refused, when the target issues no code
 */
export async function separateCode(target: Target, human: WhichHuman = "first"): Promise<AuthorizationCode> {
  const isApart = await grantsStandApart(target);
  if (!isApart && target.profile.clients.registration !== "dynamic") {
    throw new BlockedError(
      "needs a client for each grant, since this target keeps one grant for each person and client; allow dynamic registration in the profile (clients.registration)",
    );
  }
  const client = isApart
    ? await sharedClient(target, "public")
    : await clientFor(target, "public", `load:${unguessable()}`);
  return obtainCode(target, authorizationRequest(target, client), { human });
}

/** As {@link separateCode}, redeemed. */
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
