import { type Exchange, isSuccess, jsonMembers, summary } from "../wire/exchange.ts";
import { expectInvalidToken, expectStatus, isRefusal } from "./expect.ts";
import type { WhichHuman } from "../actors/human.ts";
import { inboxOf, lastInboxOf } from "../material/inboxes.ts";
import { bearer, getAgents, inboxQuery, jmapAs, methodResponses } from "../actors/jmap.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError, Violation } from "../verdict.ts";
import { pollUntil } from "./propagation.ts";

/** What an access token got at both places that take it as a bearer. */
export interface TokenUse {
  readonly jmap: Exchange;
  readonly agents: Exchange;
  /** At JMAP for the last inbox of its human, where they have several. */
  readonly lastInbox?: Exchange;
}

/** Presents an access token for JMAP at JMAP, with the first and the last inbox of its human, and at the inbox list. */
export async function useAccessToken(
  target: Target,
  accessToken: string,
  human: WhichHuman = "first",
): Promise<TokenUse> {
  const [inbox, last] = [await inboxOf(target, human), await lastInboxOf(target, human)];
  const [jmap, agents, lastInbox] = await Promise.all([
    jmapAs(target, accessToken, inbox, inboxQuery),
    getAgents(target, [bearer(accessToken)]),
    last === inbox ? undefined : jmapAs(target, accessToken, last, inboxQuery),
  ]);
  return { jmap, agents, ...(lastInbox !== undefined && { lastInbox }) };
}

/**
 * The control of every token that is to die: it lives now.
 *
 * @throws {InconclusiveError} control-refused, when it is refused before anything happened to it
 */
export async function requireAccepted(
  target: Target,
  accessToken: string,
  human: WhichHuman = "first",
): Promise<void> {
  const use = await useAccessToken(target.control, accessToken, human);
  if (isAccepted(use)) return;
  throw new InconclusiveError(
    "control-refused",
    `an access token before anything happened to it: expected 200 at JMAP and agents, got ${summary(use.jmap)} and ${summary(use.agents)}`,
    { exchange: isServed(use.jmap) ? use.agents : use.jmap, explainedBy: "BEARER-01" },
  );
}

/**
 * Presents an access token until both places refuse it or the profile's revocation_propagation_seconds are over.
 *
 * @returns the last answers
 */
export async function pollUntilRejected(
  target: Target,
  accessToken: string,
  human: WhichHuman = "first",
): Promise<TokenUse> {
  return pollUntil(
    target,
    () => useAccessToken(target, accessToken, human),
    ({ jmap, agents, lastInbox = jmap }) =>
      [jmap, agents, lastInbox].every(({ response }) => response.status === 401),
  );
}

/**
 * Both places refuse it, for every inbox. That the refusal is 401 `invalid_token` is judged by TOKEN-19 and REVOKE-11.
 *
 * @param explainedBy - what judges by itself why the token is still served
 */
export function expectAccessTokenRejected(
  { jmap, agents, lastInbox = jmap }: TokenUse,
  explainedBy?: string,
): void {
  for (const [exchange, place] of [
    [jmap, "JMAP"],
    [agents, "the inbox list"],
    [lastInbox, "JMAP for the last inbox"],
  ] as const) {
    if (isServed(exchange))
      throw new Violation(`${place} to refuse the access token`, summary(exchange), {
        exchange,
        explainedBy,
      });
    if (!isRefusal(exchange))
      throw new Violation(`${place} to refuse the access token with 401`, summary(exchange), { exchange });
  }
}

/**
 * A place refuses the access token of a revoked grant. Document, "States and transitions", and "Errors".
 *
 * @param explainedBy - what judges by itself why the token is still served
 */
export function expectRevokedAnswer(exchange: Exchange, explainedBy?: string): void {
  if (isServed(exchange) || isSuccess(exchange))
    throw new Violation("status 401", summary(exchange), { exchange, explainedBy });
  expectStatus(exchange, 401);
  expectInvalidToken(exchange);
}

/** Both places serve it. */
export function expectAccessTokenAccepted(use: TokenUse): void {
  if (!isAccepted(use)) {
    throw new Violation(
      "JMAP and the inbox list to serve the access token",
      `${summary(use.jmap)} and ${summary(use.agents)}`,
      { exchange: isServed(use.jmap) ? use.agents : use.jmap },
    );
  }
}

/** Whether JMAP, for the first inbox, and the inbox list both served it. */
export function isAccepted({ jmap, agents }: TokenUse): boolean {
  return isServed(jmap) && isServed(agents);
}

/** Whether JMAP or the inbox list served it. */
export function isServed(exchange: Exchange): boolean {
  const holdsList = Array.isArray(jsonMembers(exchange)["agents"]);
  return methodResponses(exchange) !== undefined || (isSuccess(exchange) && holdsList);
}
