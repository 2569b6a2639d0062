import { verify } from "node:crypto";
import { agentResource, jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { isJsonObject, jsonMembers } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { edwardsKeyOf, keyIdOf, keySet } from "./key-set.ts";

/** Why a token does not verify with the published set alone, or undefined when it does. */
async function whyUnverified(target: Target, token: string): Promise<string | undefined> {
  const { keys } = jsonMembers(await keySet(target));
  return whyNoKeyVerifies(token, Array.isArray(keys) ? keys : []);
}

/**
 * Verifies the signature as a client does that knows nothing but the set: with the key that the token's `kid` names, or,
 * where either side has no `kid`, with any.
 */
export function whyNoKeyVerifies(token: string, keys: readonly unknown[]): string | undefined {
  const [header, payload, signature, ...others] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || others.length > 0)
    return "the token is no JWS of three parts";
  const kid = keyIdOf(token);
  const candidates = keys.flatMap((jwk) => {
    if (!isJsonObject(jwk)) return [];
    const { kid: keyId } = jwk;
    const key = edwardsKeyOf(jwk);
    return key !== undefined && (kid === undefined || keyId === undefined || keyId === kid) ? [key] : [];
  });
  if (candidates.length === 0) return `no EdDSA key of the set has the kid ${shown(kid)} of the token`;
  const signed = Buffer.from(`${header}.${payload}`, "ascii");
  const isVerified = candidates.some((key) => verify(null, signed, key, Buffer.from(signature, "base64url")));
  return isVerified ? undefined : "the signature verifies with no key of the set";
}

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

export const offlineVerificationChecks = resources.flatMap(({ slug, words, resource }) =>
  [
    {
      id: `JWKS-03/code-${slug}`,
      claim: `An access token for ${words} from a code verifies with an EdDSA key of the set alone.`,
      token: async (target: Target) => sharedAccessToken(target, { resource: await resource(target) }),
    },
    {
      id: `JWKS-03/refreshed-${slug}`,
      claim: `A refreshed access token for ${words} verifies with an EdDSA key of the set alone.`,
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
      act: async (target) => whyUnverified(target, await token(target)),
      assert: (why) =>
        expectThat(why === undefined, "the signature to verify with a key of the set", why ?? "it does"),
    }),
  ),
);
