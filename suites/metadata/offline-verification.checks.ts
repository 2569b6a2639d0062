import { agentResource, jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { accessTokenIn, tokenResponses } from "../support/judging/token-responses.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { keySetUrl } from "./documents.ts";
import { presentKeySet, whyNoKeyVerifies } from "./key-set.ts";

interface Verification {
  /** The JWK set. */
  readonly exchange: Exchange;
  /** Why the token does not verify with the set alone; undefined when it does. */
  readonly failure: string | undefined;
}

async function verificationOf(target: Target, token: string): Promise<Verification> {
  const exchange = await presentKeySet(target);
  return { exchange, failure: whyNoKeyVerifies(token, keysIn(exchange)) };
}

// When this one does not verify, no other does.
const plainToken = "JWKS-03/code-jmap";

type ResourceOf = (target: Target) => string | Promise<string>;

const resources: readonly { slug: string; words: string; resource: ResourceOf }[] = [
  { slug: "jmap", words: "the JMAP API", resource: jmapResource },
  { slug: "mcp", words: "the MCP server", resource: mcpResource },
  {
    slug: "agent",
    words: "a single inbox",
    resource: async (target) => agentResource(target, await inboxOf(target)),
  },
];

const ofEachResource = resources.flatMap(({ slug, words, resource }) =>
  [
    {
      id: `JWKS-03/code-${slug}`,
      claim: `An access token for ${words} from a code can be verified with only an EdDSA key of the JWK set.`,
      token: async (target: Target) => sharedAccessToken(target, { resource: await resource(target) }),
    },
    {
      id: `JWKS-03/refreshed-${slug}`,
      claim: `A refreshed access token for ${words} can be verified with only an EdDSA key of the JWK set.`,
      async token(target: Target) {
        const grant = await freshGrant(target, { resource: await resource(target) });
        return (await refreshed(target, grant)).tokens.access_token;
      },
    },
  ].map(({ id, claim, token }) =>
    check({
      id,
      claim,
      needs: ["human"],
      act: async (target) => verificationOf(target, await token(target)),
      assert({ exchange, failure }) {
        if (failure === undefined) return;
        throw new Violation("the signature to verify with a key of the set", failure, {
          exchange,
          explainedBy: plainToken,
        });
      },
    }),
  ),
);

function keysIn(exchange: Exchange): readonly unknown[] {
  const { keys } = jsonMembers(exchange);
  return Array.isArray(keys) ? keys : [];
}

/** The set is read hundreds of times in a run, and each key of it would be imported for each token. */
function distinct(keys: readonly unknown[]): readonly unknown[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

const everyToken = check({
  id: "JWKS-03/every-token",
  claim:
    "Every access token of the run verifies with an EdDSA key of a JWK set that was served during the run.",
  needs: ["human"],
  last: true,
  async act(target) {
    const responses = await tokenResponses(target);
    // After the newest of the tokens.
    const newest = await presentKeySet(target);
    const sets = target
      .runExchanges()
      .filter((exchange) => exchange.request.url === keySetUrl(target) && isSuccess(exchange));
    return { responses, newest, keys: distinct([...sets, newest].flatMap(keysIn)) };
  },
  assert({ responses, keys }) {
    for (const exchange of responses) {
      const failure = whyNoKeyVerifies(accessTokenIn(exchange), keys);
      if (failure === undefined) continue;
      throw new Violation("the signature to verify with a key of the set", failure, {
        exchange,
        explainedBy: plainToken,
      });
    }
  },
});

/** Document, "Endpoints", OAuth endpoints: access tokens verify offline. */
export const offlineVerificationChecks: readonly Check[] = [...ofEachResource, everyToken];
