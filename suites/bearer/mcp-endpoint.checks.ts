import { bearer, getAgents } from "../support/actors/jmap.ts";
import { initializeMcp, initializeMessage } from "../support/actors/mcp.ts";
import { agentResource, jmapResource, mcpResource, postRevoke } from "../support/actors/oauth-client.ts";
import { check, recommend } from "../support/judging/check.ts";
import { expectInvalidToken, expectStatus, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, type Grant, sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { accessTokenLife, refusedAfterSeconds } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { notServedByMcp } from "./endpoints.ts";
import { brokenSignature } from "./forgeries.ts";
import { pollUntil } from "../support/judging/propagation.ts";

/**
 * @throws {InconclusiveError} control-refused, when the MCP endpoint refuses a valid token too
 * @throws {NotApplicableError} when it takes no such request
 */
async function requireAcceptedByMcp(target: Target, token: string): Promise<void> {
  requireOpened(await initializeMcp(target.control, [bearer(token)]));
}

function requireOpened(exchange: Exchange): void {
  if (!isSuccess(exchange)) throw notServedByMcp(exchange);
}

async function acceptedGrant(target: Target): Promise<Grant> {
  const grant = await freshGrant(target, { resource: mcpResource(target) });
  await requireAcceptedByMcp(target, grant.tokens.access_token);
  return grant;
}

const brokenSignatureRefused = check({
  id: "BEARER-04/mcp-flipped-bit",
  claim: "A token with one bit of its signature flipped is refused with 401 by the MCP endpoint.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target, { resource: mcpResource(target) });
    await requireAcceptedByMcp(target, token);
    return initializeMcp(target, [bearer(brokenSignature(token))]);
  },
  assert: (exchange) => explained("BEARER-04/jmap-flipped-bit", () => expectStatus(exchange, 401)),
});

/** An expired access token for the MCP resource, at both places that take one: once for all checks of a run. */
function expiredToken(target: Target): Promise<{ opened: Exchange; mcp: Exchange; agents: Exchange }> {
  return target.once("bearer:expired-mcp-token", async (recording) => {
    const { tokens } = await freshGrant(recording, { resource: mcpResource(recording) });
    const credential = [bearer(tokens.access_token)];
    const opened = await initializeMcp(recording.control, credential);
    const listed = await getAgents(recording.control, credential);
    if (!isSuccess(listed))
      throw controlRefused("the inbox list with a token for MCP", "200", listed, "AGENTS-09");
    await recording.wait(refusedAfterSeconds(recording, accessTokenLife));
    return {
      opened,
      mcp: await initializeMcp(recording, credential),
      agents: await getAgents(recording, credential),
    };
  });
}

const expiredAtMcp = check({
  id: "BEARER-10/mcp-endpoint",
  claim:
    "The MCP endpoint answers 401 to an access token that has expired once the profile's `token_leeway_seconds` are over.",
  needs: ["human"],
  waitSeconds: accessTokenLife.usualWaitSeconds,
  async act(target) {
    const { opened, mcp } = await expiredToken(target);
    requireOpened(opened);
    return mcp;
  },
  assert: (exchange) => explained("TOKEN-19", () => expectStatus(exchange, 401)),
});

const expiredAtList = check({
  id: "BEARER-10/agents-mcp-token",
  claim:
    "The inbox list answers 401 `invalid_token` to a token for the MCP resource that has expired, its leeway included.",
  needs: ["human"],
  waitSeconds: accessTokenLife.usualWaitSeconds,
  act: async (target) => (await expiredToken(target)).agents,
  assert(exchange) {
    explained("TOKEN-19", () => expectStatus(exchange, 401));
    expectInvalidToken(exchange);
  },
});

const revokedAtMcp = check({
  id: "BEARER-11/mcp-endpoint",
  claim: "The MCP endpoint answers 401 to an access token whose grant was revoked.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await acceptedGrant(target);
    await postRevoke(target, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
    ]);
    return pollUntil(
      target,
      () => initializeMcp(target, [bearer(tokens.access_token)]),
      (exchange) => !isSuccess(exchange),
    );
  },
  assert(exchange): Warning | undefined {
    // The table of errors speaks of JMAP alone, and tokens may be verified offline, by the published keys.
    if (isSuccess(exchange)) return warning("the token is served, as by a server that verifies it offline");
    expectStatus(exchange, 401);
    return undefined;
  },
});

const otherAudiences = [
  {
    id: "B-AT-07/jmap-token-at-mcp",
    words: "the JMAP API",
    resource: async (target: Target) => jmapResource(target),
  },
  {
    id: "B-AT-07/agent-token-at-mcp",
    words: "a single inbox",
    resource: async (target: Target) => agentResource(target, await inboxOf(target)),
  },
].map(({ id, words, resource }) =>
  recommend({
    id,
    claim: `A token for ${words} is refused with 401 or 403 by the MCP endpoint.`,
    needs: ["human"],
    async act(target) {
      await requireAcceptedByMcp(target, await sharedAccessToken(target, { resource: mcpResource(target) }));
      const token = await sharedAccessToken(target, { resource: await resource(target) });
      return initializeMcp(target, [bearer(token)]);
    },
    assert: (exchange) =>
      expectThat([401, 403].includes(exchange.response.status), "401 or 403", summary(exchange), exchange),
  }),
);

const tokenInQuery = recommend({
  id: "B-BRR-05",
  claim: "A valid access token in the query alone is refused with 401 by the MCP endpoint.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target, { resource: mcpResource(target) });
    await requireAcceptedByMcp(target, token);
    const outgoing = initializeMessage(target, []);
    return target.send({ ...outgoing, url: `${outgoing.url}?access_token=${token}` });
  },
  assert: (exchange) => expectStatus(exchange, 401),
});

/** An access token for the MCP resource ends where it is used too. Document, "Errors", and "States", grant. */
export const mcpEndpointChecks = [
  brokenSignatureRefused,
  expiredAtMcp,
  expiredAtList,
  revokedAtMcp,
  ...otherAudiences,
  tokenInQuery,
];
