import { attempt, codeIn } from "../support/actors/authorization.ts";
import { agentResource, authorizationRequest, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { type ClientKind, decidedAnew } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";

interface DeclinedRequest {
  readonly slug: string;
  readonly words: string;
  readonly client: ClientKind;
  readonly choice: (target: Target) => Promise<{ resource?: string; scope?: string }>;
}

const requests: readonly DeclinedRequest[] = [
  { slug: "public", words: "of a public client", client: "public", choice: async () => ({}) },
  {
    slug: "confidential",
    words: "of a confidential client",
    client: "confidential",
    choice: async () => ({}),
  },
  {
    slug: "read-only",
    words: "for `mail.read` alone",
    client: "public",
    choice: async () => ({ scope: "mail.read" }),
  },
  {
    slug: "mcp",
    words: "for the MCP resource",
    client: "public",
    choice: async (target) => ({ resource: mcpResource(target) }),
  },
  {
    slug: "single-inbox",
    words: "for a single inbox",
    client: "public",
    choice: async (target) => ({ resource: agentResource(target, await inboxOf(target)) }),
  },
];

/** The person decides, for every kind of request. Document, "GET /oauth/authorize", result. B-AUTHZ-10 judges the error. */
export const declinedChecks = requests.map(({ slug, words, client: kind, choice }) =>
  check({
    id: `AUTHZ-18/${slug}`,
    claim: `An authorization request ${words} that the person declines yields no code.`,
    needs: ["human"],
    async act(target) {
      const chosen = await choice(target);
      const client = await authorizingClient(target, kind, chosen);
      return decidedAnew(target, kind, client, (decidedOn) =>
        attempt(target, authorizationRequest(target, decidedOn, chosen), { decision: "deny" }),
      );
    },
    assert({ end }) {
      expectThat(codeIn(end) === undefined, "no code", "a redirect with a code", end.exchange);
    },
  }),
);
