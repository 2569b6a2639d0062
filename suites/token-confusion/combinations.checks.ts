import {
  claimsOf,
  postCapability,
  postChallenge,
  requireBearer,
  sessionWithFreshChallenge,
} from "../support/actors/agent.ts";
import { freshCapability, sharedAgent, sharedSession } from "../support/material/agents.ts";
import { firstLogin } from "../support/material/agent-controls.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { isJsonObject, summary } from "../support/wire/exchange.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNotServed, isRefusal, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapAs,
  jsonContentType,
  methodResponses,
  postJmap,
  requireServed,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation, warning } from "../support/verdict.ts";

/** The header of a JWT, unverified; empty when it is none. */
function jwtHeader(token: string): Readonly<Record<string, unknown>> {
  const [segment = ""] = token.split(".");
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : {};
  } catch {
    // Opaque: nothing in it could be taken for an access token.
    return {};
  }
}

/** The `typ` of the run's access tokens; undefined where there is none to look at. */
async function accessTokenType(target: Target): Promise<unknown> {
  return target.profile.humans.length === 0
    ? undefined
    : jwtHeader(await sharedAccessToken(target.setup))["typ"];
}

/** `application/` may be left out (RFC 7515 §4.1.9). */
function mediaTypeOf(typ: unknown): string {
  return String(typ)
    .toLowerCase()
    .replace(/^application\//u, "");
}

const agentTokens = [
  { slug: "challenge", judgedBy: "POW-01", request: postChallenge },
  { slug: "session", judgedBy: "POW-07/session", request: firstLogin },
  {
    slug: "capability",
    judgedBy: "POW-48",
    request: async (target: Target) => postCapability(target, await sharedSession(target)),
  },
].map(({ slug, judgedBy, request }) =>
  check({
    id: `CONF-AUD/${slug}`,
    claim: `A ${slug} JWT can be told from an access token by its \`typ\` or its \`aud\`.`,
    async act(target) {
      const exchange = await request(target);
      const token = requireBearer(exchange, `the ${slug} request`, judgedBy);
      return {
        exchange,
        typ: jwtHeader(token)["typ"],
        accessTokenType: await accessTokenType(target),
        aud: claimsOf(token)?.["aud"],
        audiences: [jmapResource(target), mcpResource(target)],
      };
    },
    assert({ exchange, typ, accessTokenType: other, aud, audiences }) {
      const hasType = typeof typ === "string" && /^(?:application\/)?at\+jwt$/iu.test(typ);
      const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
      const hasAudience = named.some((name) => audiences.some((audience) => audience === name));
      if (hasType && hasAudience) {
        throw new Violation(
          "another typ or another aud than an access token has",
          `typ ${shown(typ)} and aud ${shown(aud)}`,
          { exchange },
        );
      }
      if (hasType) return warning(`typ is ${shown(typ)}, as in an access token`);
      // A typ of its own is told apart by every verifier of `at+jwt`; JWT, or none, is what many tokens have (RFC 8725 §3.11).
      const isUntyped =
        typ === undefined || (typeof typ === "string" && /^(?:application\/)?jwt$/iu.test(typ));
      // Where access tokens have another typ, that tells them apart.
      const isLikeOther = other === undefined || mediaTypeOf(other) === mediaTypeOf(typ);
      return hasAudience && isUntyped && isLikeOther
        ? warning(`aud is ${shown(aud)}, as in an access token, and typ is ${shown(typ)}`)
        : undefined;
    },
  }),
);

/** The UUID of the agent's inbox where one of its tokens names it, else its mail account id. */
async function agentInbox(target: Target): Promise<string> {
  const capability = await freshCapability(target);
  const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
  for (const token of [capability, await sharedSession(target)]) {
    const claims = Object.entries(claimsOf(token) ?? {});
    const found = claims.find(
      ([name, value]) => name !== "jti" && typeof value === "string" && uuid.test(value),
    );
    if (found !== undefined) return String(found[1]);
  }
  return (await mailSession(target, capability)).accountId;
}

/**
 * The access token of a human, with which JMAP served the human's own inbox.
 *
 * @throws {InconclusiveError} control-refused, when it was not served
 */
async function servedAccessToken(target: Target): Promise<string> {
  const token = await sharedAccessToken(target);
  const exchange = await jmapAs(target.control, token, await inboxOf(target), inboxQuery);
  requireServed(exchange, "a request for one's own inbox");
  return token;
}

const agentInboxByHeader = check({
  id: "CONF-SWAP/account-header",
  claim: "A human's access token with the account header of an agent's inbox is refused.",
  needs: ["human"],
  async act(target) {
    const token = await servedAccessToken(target);
    return jmapAs(target, token, await agentInbox(target.setup), inboxQuery);
  },
  assert(exchange) {
    expectNotServed(exchange);
    if (isRefusal(exchange)) return;
    if (exchange.response.status >= 500) {
      throw new InconclusiveError(
        "target-unreachable",
        `a request for an agent's inbox: expected a decision about it, got ${summary(exchange)}`,
        { exchange, explainedBy: "ERR-11" },
      );
    }
    throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
  },
});

// A caller that holds both may use either, so serving one of them does no harm.
const twoCredentials = [
  { slug: "capability-first", words: "a capability and then a human's access token", isReversed: false },
  { slug: "access-token-first", words: "a human's access token and then a capability", isReversed: true },
].map(({ slug, words, isReversed }) =>
  observe({
    id: `CONF-SWAP/two-credentials-${slug}`,
    question: `Is a request with ${words} in two \`Authorization\` lines served for the agent's inbox?`,
    needs: ["human"],
    async act(target) {
      const token = await servedAccessToken(target);
      const lines = [bearer(await freshCapability(target)), bearer(token)];
      return postJmap(target, {
        headers: [
          ...(isReversed ? lines.toReversed() : lines),
          accountHeader(target, await agentInbox(target.setup)),
          jsonContentType,
        ],
        body: inboxQuery,
      });
    },
    answer: (exchange) =>
      methodResponses(exchange) === undefined
        ? `not served: ${summary(exchange)}`
        : "served: one of the two credentials was ignored",
  }),
);

const usedChallenge = check({
  id: "CONF-CAPA-CH/used-challenge",
  claim: "`POST /api/v1/capability` refuses the challenge of a login that has succeeded as bearer.",
  async act(target) {
    const session = await sharedSession(target);
    requireBearer(await postCapability(target.control, session), "minting a capability", "POW-48");
    const { apiKey } = await sharedAgent(target, "busy");
    const { challenge, exchange } = await sessionWithFreshChallenge(target.setup, { apiKey });
    requireBearer(exchange, "logging in", "POW-11");
    return postCapability(target, challenge.jwt);
  },
  assert: (exchange) => explained("CONF-CAPA-CH/challenge-at-capability", () => expectNotServed(exchange)),
});

export const combinationChecks = [...agentTokens, usedChallenge, agentInboxByHeader, ...twoCredentials];
