import { withoutCode } from "../support/judging/expected-code.ts";
import {
  agentResource,
  jmapResource,
  mcpResource,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { freshGrant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import { inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { adding } from "../support/wire/parameters.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { audiencesOf, expectAudience } from "../support/judging/token-audience.ts";
import { request } from "./requests.ts";

const resources: readonly {
  requirement: string;
  slug: string;
  words: string;
  of: (target: Target) => Promise<string>;
}[] = [
  {
    requirement: "RES-01",
    slug: "jmap",
    words: "the JMAP resource",
    of: async (target) => jmapResource(target),
  },
  {
    requirement: "RES-02",
    slug: "mcp",
    words: "the MCP resource",
    of: async (target) => mcpResource(target),
  },
  {
    requirement: "RES-03",
    slug: "agent",
    words: "a single owned inbox",
    of: async (target) => agentResource(target, await inboxOf(target)),
  },
];

const secondInbox = {
  id: "RES-03/second",
  slug: "second",
  words: "another owned inbox than the first",
  of: async (target: Target): Promise<string> => agentResource(target, (await twoInboxes(target))[1]),
};

const requested = [...resources.map((resource) => ({ ...resource, id: resource.requirement })), secondInbox];

const accepted = requested.map(({ id, words, of }) =>
  check({
    id,
    claim: `An authorization for ${words} leads to an access token whose \`aud\` is that resource alone, byte for byte.`,
    needs: ["human"],
    async act(target) {
      const resource = await of(target);
      return { resource, ...(await request(target, resource)) };
    },
    assert({ resource, seen, exchange }) {
      if (exchange === undefined) throw withoutCode(seen, "a code");
      expectAudience(exchange, resource);
    },
  }),
);

const kept = requested.map(({ slug, words, of }) =>
  check({
    id: `RES-27/${slug}`,
    claim: `The access tokens of two refreshes of a grant for ${words} have the \`aud\` of its first.`,
    needs: ["human"],
    async act(target): Promise<{ granted: string; refreshes: readonly Exchange[] }> {
      const first = await freshGrant(target, { resource: await of(target) });
      const second = await refreshed(target, first);
      const third = await refreshed(target, second);
      return {
        granted: shown(audiencesOf(first.response)),
        refreshes: [second.response, third.response],
      };
    },
    assert({ granted, refreshes }) {
      for (const exchange of refreshes) {
        const audiences = shown(audiencesOf(exchange));
        expectThat(audiences === granted, `aud ${granted}`, audiences, exchange);
      }
    },
  }),
);

const newerGrant = check({
  id: "RES-27/newer-grant",
  claim:
    "A refresh of a grant for the MCP resource keeps its `aud`, also when the person has granted the client the JMAP resource since.",
  needs: ["human"],
  async act(target) {
    const resource = mcpResource(target);
    // A kind that few other checks grant meanwhile: theirs might be the newest grant then.
    const kind: GrantSpec = { client: "other", scope: "mail.read" };
    const { client, tokens } = await refreshableGrant(target, { ...kind, resource });
    await freshGrant(target.setup, kind);
    const exchange = await postToken(target, refreshExchange(client, tokens.refresh_token));
    if (isRefusal(exchange))
      throw new NotApplicableError("a newer grant to the same client ends the older one");
    return { resource, exchange };
  },
  assert({ resource, exchange }) {
    requireTokens(exchange, "a refresh of a grant for the MCP resource", "REFRESH-01");
    expectAudience(exchange, resource, "RES-27/mcp");
  },
});

const narrowedRefresh = check({
  id: "RES-27/narrowed-refresh",
  claim:
    "A refresh that asks for `mail.read` alone keeps the `aud` of a grant for the MCP resource; a target may refuse a refresh that names a scope.",
  needs: ["human"],
  async act(target) {
    const resource = mcpResource(target);
    const { client, tokens } = await refreshableGrant(target, { resource });
    const fields = adding(refreshExchange(client, tokens.refresh_token), ["scope", "mail.read"]);
    return { resource, exchange: await postToken(target, fields) };
  },
  assert({ resource, exchange }) {
    // The document shows no `scope` in a refresh.
    if (isRefusal(exchange)) throw new NotApplicableError("the target refuses a refresh that names a scope");
    requireTokens(exchange, "a refresh that asks for mail.read", "REFRESH-01");
    expectAudience(exchange, resource, "RES-27/mcp");
  },
});

export const audienceChecks = [...accepted, ...kept, newerGrant, narrowedRefresh];
