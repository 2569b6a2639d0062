import { bearer } from "../support/actors/jmap.ts";
import { initializeMcp, pingMessage } from "../support/actors/mcp.ts";
import { mcpResource, postRevoke } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, type Grant } from "../support/material/grants.ts";
import { accessTokenLife, refusedAfterSeconds } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { notServedByMcp } from "./endpoints.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, header, isSuccess, summary } from "../support/wire/exchange.ts";
import { pollUntil } from "../support/judging/propagation.ts";

interface McpSession {
  readonly grant: Grant;
  /** Sends a message of the session with the token that opened it. */
  readonly ping: (target: Target) => Promise<Exchange>;
}

/**
 * A session at the MCP endpoint that works.
 *
 * @throws {NotApplicableError} when the endpoint keeps no sessions, or serves no ping in one
 */
async function openedSession(target: Target): Promise<McpSession> {
  const grant = await freshGrant(target, { resource: mcpResource(target) });
  const credential = [bearer(grant.tokens.access_token)];
  const opened = await initializeMcp(target.control, credential);
  if (!isSuccess(opened)) throw notServedByMcp(opened);
  const id = header(opened, "mcp-session-id");
  if (id === undefined) throw new NotApplicableError("the MCP endpoint keeps no sessions");
  const ping = (sender: Target): Promise<Exchange> => sender.send(pingMessage(sender, credential, id));
  const first = await ping(target.control);
  if (!isSuccess(first)) throw new NotApplicableError(`a ping in a session is answered ${summary(first)}`);
  return { grant, ping };
}

function expectRefused(exchange: Exchange, likewise: string): void {
  const { status } = exchange.response;
  // A session that is gone is 404, whoever asks.
  const isRefused = isRefusalStatus(status) || status === 404;
  explained(likewise, () => expectThat(isRefused, "401, or 404", summary(exchange), exchange));
}

const expired = check({
  id: "BEARER-10/mcp-session",
  claim:
    "In a session at the MCP endpoint that it opened, an access token is refused once it has expired, its leeway included.",
  needs: ["human"],
  waitSeconds: accessTokenLife.usualWaitSeconds,
  async act(target) {
    const { ping } = await openedSession(target);
    await target.wait(refusedAfterSeconds(target, accessTokenLife));
    return ping(target);
  },
  assert: (exchange) => expectRefused(exchange, "BEARER-10/mcp-endpoint"),
});

const revoked = check({
  id: "BEARER-11/mcp-session",
  claim:
    "Where the MCP endpoint refuses an access token whose grant was revoked, it does so in a session that the token opened too.",
  needs: ["human"],
  async act(target) {
    const { grant, ping } = await openedSession(target);
    const { client, tokens } = grant;
    await postRevoke(target, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
    ]);
    const exchange = await pollUntil(
      target,
      () => ping(target),
      (answer) => !isSuccess(answer),
    );
    if (!isSuccess(exchange)) return exchange;
    const second = await initializeMcp(target.control, [bearer(tokens.access_token)]);
    // Tokens may be verified offline, by the published keys: BEARER-11/mcp-endpoint warns of it.
    if (isSuccess(second)) throw new NotApplicableError("the MCP endpoint serves tokens of revoked grants");
    return exchange;
  },
  assert: (exchange) => expectRefused(exchange, "BEARER-11/mcp-endpoint"),
});

/** A session at the MCP endpoint is not a credential. Document, "Errors", and "States", grant. */
export const mcpSessionChecks = [expired, revoked];
