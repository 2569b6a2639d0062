import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  newVerifier,
  postRevoke,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { sharedClient } from "../support/material/clients.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { sharedAccessToken, sharedGrant } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import { bearer, getAgents, inboxQuery, jmapAs, jmapBody, requireServed } from "../support/actors/jmap.ts";
import { type Parameters, replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import type { Need } from "../support/judging/check.ts";
import { InconclusiveError } from "../support/verdict.ts";

/** One request that is refused, for the form of its answer. */
export interface Sample {
  readonly slug: string;
  /** Reads after "The refusal of". */
  readonly words: string;
  readonly needs: readonly Need[];
  readonly send: (target: Target) => Promise<Exchange>;
}

/** A send that cannot send: its mail does not exist, so that even where it is allowed nothing leaves. */
export const emptySend = jmapBody([
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

/**
 * Asks for an inbox of the second human with a token of the first, whose own inbox is served.
 *
 * @throws {InconclusiveError} control-refused, when the own inbox is not served
 */
export async function askForForeignInbox(target: Target): Promise<Exchange> {
  const token = await sharedAccessToken(target);
  requireServed(await jmapAs(target, token, await inboxOf(target), inboxQuery), "a query of the own inbox");
  return jmapAs(target, token, await foreignInbox(target), inboxQuery);
}

/**
 * Attempts a send with a token of mail.read, which a token of both scopes gets served.
 *
 * @throws {InconclusiveError} control-refused, when the token of both scopes is refused too
 */
export async function sendReadOnly(target: Target): Promise<Exchange> {
  const inbox = await inboxOf(target);
  const both = await sharedAccessToken(target);
  requireServed(await jmapAs(target, both, inbox, emptySend), "a send with both scopes");
  return jmapAs(target, await sharedAccessToken(target, { scope: "mail.read" }), inbox, emptySend);
}

/** The exchange of a code that was never issued, by a client whose real code was redeemed in this run. */
async function unknownCode(target: Target): Promise<Parameters> {
  const { client } = await sharedGrant(target);
  return codeExchange({
    code: unguessable(),
    redirect_uri: registeredRedirectUri(client),
    verifier: newVerifier(),
    client,
  });
}

const human = ["human"] as const;

export const samples: readonly Sample[] = [
  {
    slug: "authorize",
    words: "an authorization request of an unknown client",
    needs: [],
    async send(target) {
      const { parameters } = authorizationRequest(target, await authorizingClient(target));
      const url = authorizationUrl(target, replacing(parameters, "client_id", unguessable()));
      return target.send({ method: "GET", url, headers: [["Accept", "application/json"]] });
    },
  },
  {
    slug: "token-unknown-client",
    words: "a code exchange of an unknown client",
    needs: human,
    send: async (target) =>
      postToken(target, replacing(await unknownCode(target), "client_id", unguessable())),
  },
  {
    slug: "token-unknown-code",
    words: "the exchange of a code that was never issued",
    needs: human,
    send: async (target) => postToken(target, await unknownCode(target)),
  },
  {
    slug: "token-unknown-refresh-token",
    words: "a refresh with a token that was never issued",
    needs: human,
    async send(target) {
      const { client } = await sharedGrant(target);
      return postToken(target, [
        ["grant_type", "refresh_token"],
        ["refresh_token", unguessable()],
        ["client_id", client.client_id],
      ]);
    },
  },
  {
    slug: "token-unknown-grant-type",
    words: "a token request of another grant type",
    needs: human,
    async send(target) {
      const { client } = await sharedGrant(target);
      return postToken(target, [
        ["grant_type", "password"],
        ["username", "mailproof"],
        ["password", unguessable()],
        ["client_id", client.client_id],
      ]);
    },
  },
  {
    slug: "register",
    words: "a registration whose body is no JSON object",
    needs: [],
    async send(target) {
      // A client of this kind is always registered, whatever clients the profile gives: the control.
      await sharedClient(target, "other");
      return target.send({
        method: "POST",
        url: `${target.authUrl}/oauth/register`,
        headers: [["Content-Type", "application/json"]],
        body: "[]",
      });
    },
  },
  {
    slug: "agents",
    words: "an inbox list with a token that was never issued",
    needs: human,
    async send(target) {
      // The list with a good token is the control.
      await inboxOf(target);
      return getAgents(target, [bearer(unguessable())]);
    },
  },
  {
    slug: "jmap-token",
    words: "a JMAP request with a token that was never issued",
    needs: human,
    send: async (target) => jmapAs(target, unguessable(), await inboxOf(target), inboxQuery),
  },
  {
    slug: "jmap-foreign-inbox",
    words: "a JMAP request for an inbox of somebody else",
    needs: ["human", "second-human"],
    send: askForForeignInbox,
  },
  {
    slug: "jmap-send",
    words: "a send with a token of mail.read",
    needs: human,
    send: sendReadOnly,
  },
];

/** A revocation that may be refused: the document lets the target choose. */
export function revokeAsUnknownClient(target: Target): Promise<Exchange> {
  return target.once("errors:revoke", async (recording) => {
    await authorizingClient(recording);
    return postRevoke(recording, [
      ["client_id", unguessable()],
      ["token", unguessable()],
    ]);
  });
}

/**
 * The answer to a sample: one for all checks of a run.
 *
 * @throws {InconclusiveError} precondition-missing, when it is no refusal, which checks of their own judge
 */
export function refusalOf(target: Target, { slug, words, send }: Sample): Promise<Exchange> {
  return target.once(`errors:${slug}`, async (recording) => {
    const exchange = await send(recording);
    if (isRefusalStatus(exchange.response.status)) return exchange;
    const what = isSuccess(exchange) ? "it succeeded" : `it was answered ${summary(exchange)}`;
    throw new InconclusiveError(
      "precondition-missing",
      `${words}: expected a refusal to look at, but ${what}`,
    );
  });
}
