import { accountHeader, bearer, jmapBody, jsonContentType, postJmap } from "../support/actors/jmap.ts";
import { mcpResource, postRevoke } from "../support/actors/oauth-client.ts";
import { pollUntilRejected } from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import { accessTokenLife, refusedAfterSeconds } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import type { Exchange, HeaderLines } from "../support/wire/exchange.ts";
import { hasArrived, provenParties, sentToBoth } from "./parties.ts";
import { unsentTo } from "./sending.ts";

interface Refused {
  readonly id: string;
  /** Reads after "A message that is submitted". */
  readonly words: string;
  /** The check that judges whether such a request is refused. */
  readonly judgedBy: string;
  readonly waitSeconds?: number;
  /** Authorization and account header of the request. */
  headers(target: Target, accountId: string): Promise<HeaderLines>;
}

function withToken(target: Target, accountId: string, token: string): HeaderLines {
  return [bearer(token), accountHeader(target, accountId)];
}

const refused: readonly Refused[] = [
  {
    id: "HDR-02/sends-nothing",
    words: "without the account header",
    judgedBy: "HDR-02",
    headers: async (target) => [bearer(await sharedAccessToken(target))],
  },
  {
    id: "HDR-11/sends-nothing",
    words: "with another person's access token",
    judgedBy: "HDR-11/mailbox-query",
    headers: async (target, accountId) =>
      withToken(target, accountId, await sharedAccessToken(target, { human: "second" })),
  },
  {
    id: "RES-29/sends-nothing",
    words: "with an access token for the MCP resource",
    judgedBy: "RES-29/mailbox-query",
    headers: async (target, accountId) =>
      withToken(target, accountId, await sharedAccessToken(target, { resource: mcpResource(target) })),
  },
  {
    id: "BEARER-04/sends-nothing",
    words: "with an access token whose signature was changed",
    judgedBy: "BEARER-04/jmap-flipped-bit",
    headers: async (target, accountId) =>
      withToken(target, accountId, withOtherSignature(await sharedAccessToken(target))),
  },
  {
    id: "REVOKE-04/sends-nothing",
    words: "with the access token of a revoked grant",
    judgedBy: "REVOKE-04/newest-access-token",
    async headers(target, accountId) {
      const { client, tokens } = await freshGrant(target.setup);
      await postRevoke(target.setup, [
        ["client_id", client.client_id],
        ["token", tokens.refresh_token],
      ]);
      await pollUntilRejected(target.setup, tokens.access_token);
      return withToken(target, accountId, tokens.access_token);
    },
  },
  {
    id: "TOKEN-19/sends-nothing",
    words: "with an access token that has expired",
    judgedBy: "TOKEN-19",
    waitSeconds: accessTokenLife.usualWaitSeconds,
    async headers(target, accountId) {
      const { tokens } = await freshGrant(target.setup);
      await target.wait(refusedAfterSeconds(target, accessTokenLife));
      return withToken(target, accountId, tokens.access_token);
    },
  },
];

// A look takes a moment too, so that a quick target is not asked again.
const shortestLookMs = 1500;

/** A refusal that comes after the request was carried out. Document, "Authentication", OAuth 2.0 path 7 to 9. */
export const refusedCredentialChecks = refused.map(({ id, words, judgedBy, waitSeconds, headers }) =>
  check({
    id,
    claim: `A message that is submitted ${words} does not arrive.`,
    needs: ["human", "second-human"],
    ...(waitSeconds !== undefined && { waitSeconds }),
    async act(target) {
      const { senderId, foreign, deliveryMs } = await provenParties(target);
      const { toForeign } = await sentToBoth(target);
      const presented = await headers(target, senderId);
      const { emailId, subject, envelope, identityId } = await unsentTo(target, senderId, foreign.address);
      // As the message was sent that arrived there (C-21).
      const s1 = { emailId, envelope, ...(toForeign.isRetried && { identityId }) };
      const exchange = await postJmap(target, {
        headers: [...presented, jsonContentType],
        body: jmapBody([["EmailSubmission/set", { create: { s1 } }, "send"]]),
      });
      requireRefused(exchange, judgedBy);
      await target.pause(Math.max(shortestLookMs, 2 * deliveryMs));
      return { exchange, isThere: await hasArrived(target, foreign, subject) };
    },
    assert: ({ exchange, isThere }) =>
      expectThat(!isThere, "the message nowhere", "it at its recipient", exchange),
  }),
);

/** @throws {InconclusiveError} precondition-missing, when the request was served, which another check judges */
function requireRefused(exchange: Exchange, judgedBy: string): void {
  if (isRefusal(exchange)) return;
  throw new InconclusiveError("precondition-missing", "needs a submission that is refused", {
    exchange,
    explainedBy: judgedBy,
  });
}
