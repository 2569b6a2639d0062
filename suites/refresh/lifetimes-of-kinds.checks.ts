import { agentResource, mcpResource, requireTokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { expectOAuthError, expectStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { expectRefreshRefused, presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { requireLastingSecret } from "../support/material/client-secrets.ts";
import { renewSecretFor } from "../support/material/clients.ts";
import type { Grant, GrantSpec } from "../support/material/grants.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { idleGrantErrors } from "./idle-grants.ts";

const hours = 3600;
const day = 24 * hours;
const lifetimeSeconds = 90 * day;

const kinds: readonly {
  slug: string;
  words: string;
  spec: (target: Target) => GrantSpec | Promise<GrantSpec>;
  unlockedBy?: Unlock;
}[] = [
  { slug: "confidential", words: "of a confidential client", spec: () => ({ client: "confidential" }) },
  { slug: "mcp", words: "for the MCP resource", spec: (target) => ({ resource: mcpResource(target) }) },
  { slug: "read-only", words: "of `mail.read` alone", spec: () => ({ scope: "mail.read" }) },
  { slug: "send-only", words: "of `mail.send` alone", spec: () => ({ scope: "mail.send" }) },
  {
    slug: "single-inbox",
    words: "for a single inbox",
    spec: async (target) => ({ resource: agentResource(target, await inboxOf(target)) }),
  },
  ...otherClients.map(({ client, words, unlockedBy }) => ({
    slug: client,
    words: `of ${words}`,
    spec: () => ({ client }),
    unlockedBy,
  })),
];

/** @throws {BlockedError} when the secret of its client ends before */
async function lastingGrant(target: Target, spec: GrantSpec, seconds: number): Promise<Grant> {
  if (spec.client === "confidential") await renewSecretFor(target, seconds);
  const grant = await refreshableGrant(target, spec);
  requireLastingSecret(target, grant.client, seconds);
  return grant;
}

/** A refresh token lives as long for every kind of grant. Document, "States and transitions", and "Limits". */
export const lifetimeOfKindChecks = kinds.flatMap(({ slug, words, spec, unlockedBy }) => [
  check({
    id: `REFRESH-17/unused-89-days-${slug}`,
    claim: `The refresh token of a grant ${words} that was not used for 89 days and 23 hours still works.`,
    needs: ["human"],
    ...(unlockedBy !== undefined && { unlockedBy }),
    waitSeconds: lifetimeSeconds - hours,
    async act(target) {
      const grant = await lastingGrant(target, await spec(target), lifetimeSeconds - hours);
      await target.wait(lifetimeSeconds - hours);
      return presentRefreshToken(target, grant, grant.tokens);
    },
    assert: (exchange) => explained("REFRESH-17/unused-89-days", () => expectStatus(exchange, 200)),
  }),
  check({
    id: `REFRESH-17/sliding-${slug}`,
    claim: `The refresh token of a grant ${words} works 89 days after its rotation, though the grant is 178 days old.`,
    needs: ["human"],
    ...(unlockedBy !== undefined && { unlockedBy }),
    waitSeconds: 2 * (lifetimeSeconds - day),
    async act(target) {
      const grant = await lastingGrant(target, await spec(target), 2 * (lifetimeSeconds - day));
      await target.wait(lifetimeSeconds - day);
      const rotation = await presentRefreshToken(target.control, grant, grant.tokens);
      const unused = `REFRESH-17/unused-89-days-${slug}`;
      const tokens = requireTokens(rotation, "a refresh after 89 days", unused);
      await target.wait(lifetimeSeconds - day);
      return presentRefreshToken(target, grant, tokens);
    },
    assert: (exchange) => explained("REFRESH-17/sliding", () => expectStatus(exchange, 200)),
  }),
  check({
    id: `REFRESH-17/90-days-${slug}`,
    claim: `The refresh token of a grant ${words}, unused for 90 days and an hour, gets ${codeSpans(idleGrantErrors)}.`,
    needs: ["human"],
    ...(unlockedBy !== undefined && { unlockedBy }),
    waitSeconds: lifetimeSeconds + hours,
    async act(target) {
      const grant = await lastingGrant(target, await spec(target), lifetimeSeconds + hours);
      await target.wait(lifetimeSeconds + hours);
      return presentRefreshToken(target, grant, grant.tokens);
    },
    assert(exchange) {
      explained("REFRESH-17/90-days", () => expectRefreshRefused(exchange));
      expectOAuthError(exchange, idleGrantErrors);
    },
  }),
]);
