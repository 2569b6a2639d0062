import {
  authorizationRequest,
  codeExchange,
  newVerifier,
  postRevoke,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { postRegister } from "../support/actors/registration.ts";
import { attempt } from "../support/actors/authorization.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { authorizingClient, redeemableCode } from "../support/material/controls.ts";
import { sharedClient } from "../support/material/clients.ts";
import { redirectUris, registrationMetadata } from "../support/material/registrations.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { sharedAccessToken, sharedGrant } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import { bearer, getAgents, inboxQuery, jmapAs, jmapBody, requireServed } from "../support/actors/jmap.ts";
import { replacing, without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";

/**
 * Requests that are refused, one for each endpoint and code: sent only where no other check of the run was answered so, as
 * when this suite runs alone.
 */
export type Sample = (target: Target) => Promise<unknown>;

/** An authorization request without `state`. */
export async function withoutState(target: Target): Promise<unknown> {
  const client = await authorizingClient(target);
  const parameters = without(authorizationRequest(target, client).parameters, "state");
  return attempt(target, { client, parameters });
}

/** An authorization request by a client that nobody registered. */
export async function unknownClient(target: Target): Promise<unknown> {
  const { parameters } = authorizationRequest(target, await authorizingClient(target));
  return attempt(target, {
    client: { redirect_uris: [] },
    parameters: replacing(parameters, "client_id", unguessable()),
  });
}

/** A code exchange by a client that nobody registered. */
export async function unknownClientAtToken(target: Target): Promise<unknown> {
  if (target.profile.humans.length === 0) return undefined;
  const code = await redeemableCode(target);
  return postToken(target, replacing(codeExchange(code), "client_id", unguessable()));
}

/** A request for both scopes by a client that registered one, where the registration says so (C-27). */
export async function beyondClientScope(target: Target): Promise<unknown> {
  if (target.profile.clients.registration === "none") return undefined;
  const redirect_uris = [redirectUris.main];
  const registration = await postRegister(
    target.setup,
    registrationMetadata({ redirect_uris, token_endpoint_auth_method: "none", scope: "mail.read" }),
  );
  const { client_id, scope } = jsonMembers(registration);
  if (typeof client_id !== "string" || scope !== "mail.read") return undefined;
  const client = { client_id, redirect_uris };
  await attempt(target.control, authorizationRequest(target, client, { scope: "mail.read" }));
  return attempt(target, authorizationRequest(target, client));
}

/** The exchange of a code that was never issued, by a client that redeems real ones. */
export async function unknownCode(target: Target): Promise<unknown> {
  const { client } = await redeemableCode(target);
  const redirect_uri = registeredRedirectUri(client);
  return postToken(
    target,
    codeExchange({ code: unguessable(), redirect_uri, verifier: newVerifier(), client }),
  );
}

/** A revocation by a client that nobody registered; the document lets the target accept it. */
export async function revocationByUnknownClient(target: Target): Promise<unknown> {
  await authorizingClient(target);
  return postRevoke(target, [
    ["client_id", unguessable()],
    ["token", unguessable()],
  ]);
}

/** A registration whose body is JSON and no object. */
export async function registrationOfArray(target: Target): Promise<unknown> {
  // A client of this kind is always registered, whatever clients the profile gives.
  await sharedClient(target, "other");
  return target.send({
    method: "POST",
    url: `${target.authUrl}/oauth/register`,
    headers: [["Content-Type", "application/json"]],
    body: "[]",
  });
}

/** The inbox list with a bearer token that was never issued. */
export async function listWithUnknownToken(target: Target): Promise<unknown> {
  const control = await getAgents(target.control, [bearer(await sharedAccessToken(target))]);
  if (!isSuccess(control)) throw controlRefused("the inbox list", "200", control, "AGENTS-01");
  return getAgents(target, [bearer(unguessable())]);
}

/** A query of the own inbox with a good access token under another signature. */
export async function queryWithForgedToken(target: Target): Promise<unknown> {
  const token = await sharedAccessToken(target);
  const inbox = await inboxOf(target);
  requireServed(await jmapAs(target.control, token, inbox, inboxQuery), "a query of the own inbox");
  const signature = "A".repeat(token.length - token.lastIndexOf(".") - 1);
  const forged = token.slice(0, token.lastIndexOf(".") + 1) + signature;
  return jmapAs(target, forged, inbox, inboxQuery);
}

/** A query of an inbox that belongs to the second human, with a token of the first. */
export async function queryOfForeignInbox(target: Target): Promise<unknown> {
  const token = await sharedAccessToken(target);
  const own = await jmapAs(target.control, token, await inboxOf(target), inboxQuery);
  requireServed(own, "a query of the own inbox");
  return jmapAs(target, token, await foreignInbox(target), inboxQuery);
}

// Its mail does not exist, so that nothing leaves even where sending is allowed.
const emptySend = jmapBody([
  [
    "EmailSubmission/set",
    {
      create: {
        s: {
          emailId: "mailproof-no-such-email",
          envelope: { mailFrom: { email: "nobody@mail.test" }, rcptTo: [{ email: "nobody@mail.test" }] },
        },
      },
    },
    "0",
  ],
]);

/** A send with a token of `mail.read`, which a token of both scopes gets served. */
export async function readOnlySend(target: Target): Promise<unknown> {
  const inbox = await inboxOf(target);
  const both = await jmapAs(target.control, await sharedAccessToken(target), inbox, emptySend);
  requireServed(both, "the same send with both scopes");
  const { tokens } = await sharedGrant(target, { scope: "mail.read" });
  return jmapAs(target, tokens.access_token, inbox, emptySend);
}
