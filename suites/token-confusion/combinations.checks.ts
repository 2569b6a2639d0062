import { claimsOf, requestChallenge } from "../support/actors/agent.ts";
import { freshCapability, sharedSession } from "../support/material/agents.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { isJsonObject, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapAs,
  jsonContentType,
  postJmap,
  requireServed,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, warning } from "../support/verdict.ts";

interface Type {
  readonly typ: unknown;
  readonly aud: unknown;
}

function typeOf(token: string): Type {
  const [head = ""] = token.split(".");
  return { typ: headerOf(head)["typ"], aud: claimsOf(token)?.["aud"] };
}

function headerOf(segment: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : {};
  } catch {
    // Opaque: nothing in it could be taken for an access token.
    return {};
  }
}

const agentTokens = [
  {
    slug: "challenge",
    obtain: async (target: Target) => (await requestChallenge(target)).jwt,
  },
  { slug: "session", obtain: (target: Target) => sharedSession(target) },
  { slug: "capability", obtain: (target: Target) => freshCapability(target) },
].map(({ slug, obtain }) =>
  check({
    id: `CONF-AUD/${slug}`,
    claim: `A ${slug} JWT is told from an access token by its typ or its aud.`,
    needs: [],
    async act(target) {
      const type = typeOf(await obtain(target));
      return { ...type, audiences: [jmapResource(target), mcpResource(target)] };
    },
    assert({ typ, aud, audiences }) {
      const hasType = typeof typ === "string" && /^(?:application\/)?at\+jwt$/iu.test(typ);
      const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
      const hasAudience = named.some((name) => audiences.some((audience) => audience === name));
      if (hasType && hasAudience) {
        throw new Violation(
          "another typ or another aud than an access token has",
          `typ ${shown(typ)} and aud ${shown(aud)}`,
        );
      }
      if (hasType) return warning(`typ is ${shown(typ)}, as of an access token`);
      return hasAudience ? warning(`aud is ${shown(aud)}, as of an access token`) : undefined;
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

const headerOfAgent = check({
  id: "CONF-SWAP/account-header",
  claim: "A human's access token with the account header of an agent's inbox is refused.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target);
    const inbox = await inboxOf(target);
    requireServed(await jmapAs(target, token, inbox, inboxQuery), "a request for one's own inbox");
    return jmapAs(target, token, await agentInbox(target), inboxQuery);
  },
  assert(exchange) {
    expectNotServed(exchange);
    expectThat(
      isRefusalStatus(exchange.response.status),
      "a refusal with 4xx (not 404, 405 or 429)",
      summary(exchange),
    );
  },
});

const orders = [
  { slug: "capability-first", words: "a capability and then a human's access token", isReversed: false },
  { slug: "access-token-first", words: "a human's access token and then a capability", isReversed: true },
].map(({ slug, words, isReversed }) =>
  check({
    id: `CONF-SWAP/two-credentials-${slug}`,
    claim: `A request with ${words} in two Authorization lines, and the account header of the agent's inbox, is not served.`,
    needs: ["human"],
    async act(target) {
      const token = await sharedAccessToken(target);
      const inbox = await inboxOf(target);
      requireServed(await jmapAs(target, token, inbox, inboxQuery), "a request for one's own inbox");
      const lines = [bearer(await freshCapability(target)), bearer(token)];
      return postJmap(target, {
        headers: [
          ...(isReversed ? lines.toReversed() : lines),
          accountHeader(target, await agentInbox(target)),
          jsonContentType,
        ],
        body: inboxQuery,
      });
    },
    assert(exchange) {
      // Either credential alone may reach its own inbox, so being served by one of them harms nobody.
      if (isSuccess(exchange)) return warning("served: one of two credentials was ignored");
      expectThat(
        isRefusalStatus(exchange.response.status),
        "a refusal with 4xx (not 404, 405 or 429)",
        summary(exchange),
      );
      return undefined;
    },
  }),
);

export const combinationChecks = [...agentTokens, headerOfAgent, ...orders];
