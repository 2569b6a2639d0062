import { isServed } from "../support/judging/access-token-use.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectInvalidToken } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import { zeroSignature } from "../support/material/jwt-forgery.ts";
import { knownSecrets } from "../support/material/known-secrets.ts";
import { publishedKey } from "../support/material/published-key.ts";
import { bearer, inboxQuery, jmapAs, requireServed } from "../support/actors/jmap.ts";
import { lastInboxOf } from "../support/material/inboxes.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";
import { answeringJson } from "../support/target/documents/place.ts";
import type { Target } from "../support/target/target.ts";
import {
  acceptedToken,
  expectUnauthorized,
  jmapEndpoint,
  mcpEndpoint,
  present,
  protectedEndpoints,
} from "./endpoints.ts";
import {
  brokenSignature,
  ed25519Signer,
  foreignKey,
  hmacSigner,
  joined,
  membersOf,
  partsOf,
  resigned,
  withClaims,
} from "./forgeries.ts";

/** One way to turn a valid access token into one that nobody issued. */
interface Forgery {
  readonly requirement: string;
  readonly slug: string;
  /** Reads after "A token". */
  readonly words: string;
  readonly needs?: readonly Need[];
  /** The grant whose token is changed; the ordinary one unless given. */
  readonly from?: (target: Target) => GrantSpec;
  readonly forge: (token: string, target: Target) => string | Promise<string>;
  /** The forgery that passes too where this one passes for the same reason. */
  readonly sameAs?: ForgeryName;
}

interface ForgeryName {
  readonly requirement: string;
  readonly slug: string;
}

// Where this one is accepted, signatures are not verified at all, and any other forgery passes too.
const unverified: ForgeryName = { requirement: "BEARER-04", slug: "flipped-bit" };

const signatures: readonly Forgery[] = [
  {
    requirement: "BEARER-04",
    slug: "flipped-bit",
    words: "with one bit of its signature flipped",
    forge: brokenSignature,
  },
  {
    requirement: "BEARER-04",
    slug: "truncated",
    words: "with half of its signature",
    sameAs: unverified,
    forge(token) {
      const parts = partsOf(token);
      return joined({ ...parts, signature: parts.signature.slice(0, parts.signature.length / 2) });
    },
  },
  {
    requirement: "BEARER-04",
    slug: "empty",
    words: "with an empty signature",
    sameAs: unverified,
    forge: (token) => joined({ ...partsOf(token), signature: "" }),
  },
  {
    requirement: "BEARER-04",
    slug: "zero-signature",
    words: "with a signature of zero bytes, as long as the real one,",
    sameAs: unverified,
    forge: zeroSignature,
  },
  {
    requirement: "BEARER-04",
    slug: "of-another-token",
    words: "with the signature of another valid token",
    sameAs: unverified,
    async forge(token, target) {
      const other = partsOf(await sharedAccessToken(target, { scope: "mail.read" }));
      return joined({ ...partsOf(token), signature: other.signature });
    },
  },
  {
    requirement: "BEARER-04",
    slug: "fourth-segment",
    words: "with a fourth segment after its signature",
    sameAs: unverified,
    forge: (token) => `${joined(partsOf(token))}.${partsOf(token).signature}`,
  },
];

const yearSeconds = 365 * 86_400;

const claims: readonly Forgery[] = [
  {
    requirement: "BEARER-05",
    slug: "expiry",
    words: "whose `exp` was moved by a year",
    forge: (token) => withClaims(token, (old) => ({ ...old, exp: Number(old["exp"]) + yearSeconds })),
  },
  {
    requirement: "BEARER-05",
    slug: "audience",
    words: "for MCP whose `aud` was changed to the JMAP resource",
    from: (target) => ({ resource: mcpResource(target) }),
    forge: (token, target) => withClaims(token, (old) => ({ ...old, aud: jmapResource(target) })),
  },
  {
    requirement: "BEARER-05",
    slug: "subject",
    words: "of another person whose `sub` was changed to that of the inbox owner",
    needs: ["human", "second-human"],
    from: () => ({ human: "second" }),
    async forge(token, target) {
      const { sub } = membersOf(partsOf(await sharedAccessToken(target)).payload);
      return withClaims(token, (old) => (sub === undefined ? old : { ...old, sub }));
    },
  },
  {
    requirement: "BEARER-05",
    slug: "scope",
    words: "of a read-only grant whose `scope` was changed to both scopes",
    from: () => ({ scope: "mail.read" }),
    forge: (token) => withClaims(token, (old) => ({ ...old, scope: "mail.read mail.send" })),
  },
];

const unsigned: readonly Forgery[] = [
  { alg: "none", spelling: "none", unsignedSameAs: unverified },
  { alg: "None", spelling: "none-capitalised", unsignedSameAs: unverified },
  // A comparison with `none` that respects case misses both spellings.
  {
    alg: "nOnE",
    spelling: "none-mixed-case",
    unsignedSameAs: { requirement: "BEARER-06", slug: "none-capitalised-unsigned" },
  },
].flatMap(({ alg, spelling, unsignedSameAs }) => [
  {
    requirement: "BEARER-06",
    slug: `${spelling}-unsigned`,
    words: `with \`alg\` \`${alg}\` and no signature`,
    forge: (token: string) =>
      resigned(
        token,
        (header) => ({ ...header, alg }),
        () => "",
      ),
    sameAs: unsignedSameAs,
  },
  {
    requirement: "BEARER-06",
    slug: `${spelling}-signed`,
    words: `with \`alg\` \`${alg}\` and its old signature`,
    forge: (token: string) =>
      resigned(
        token,
        (header) => ({ ...header, alg }),
        () => partsOf(token).signature,
      ),
    sameAs: { requirement: "BEARER-06", slug: `${spelling}-unsigned` },
  },
]);

const confusions: readonly Forgery[] = [
  ...knownSecrets.map(({ slug, words, secret, kid }) => ({
    requirement: "BEARER-06",
    slug: `hs256-${slug}`,
    words: `signed with HS256 keyed with ${words}`,
    async forge(token: string, target: Target) {
      const key = secret(await publishedKey(target, token));
      const named = kid === undefined ? {} : { kid };
      return resigned(token, (header) => ({ ...header, ...named, alg: "HS256" }), hmacSigner(key));
    },
  })),
  {
    requirement: "BEARER-06",
    slug: "rs256-header",
    words: "with `alg` `RS256` and its old signature",
    forge: (token) =>
      resigned(
        token,
        (header) => ({ ...header, alg: "RS256" }),
        () => partsOf(token).signature,
      ),
  },
];

const waysToNameKey: readonly {
  slug: string;
  words: string;
  members: (jwk: object, token: string, target: Target) => JsonObject | Promise<JsonObject>;
}[] = [
  { slug: "real-kid", words: "under the `kid` of the real one", members: () => ({}) },
  { slug: "own-kid", words: "under an unknown `kid`", members: () => ({ kid: "mailproof-foreign" }) },
  { slug: "no-kid", words: "and without a `kid`", members: () => ({ kid: undefined }) },
  { slug: "jwk", words: "embedded as `jwk`", members: (jwk) => ({ jwk }) },
  {
    slug: "jku",
    words: "named by `jku`",
    members: async (jwk, token, target) => ({
      jku: await keySetUrl(jwk, token, target),
    }),
  },
  { slug: "x5u", words: "named by `x5u`", members: () => ({ x5u: "https://keys.example.test/chain.pem" }) },
  { slug: "path-kid", words: "under a `kid` that is a path", members: () => ({ kid: "../../dev/null" }) },
];

const foreignKeys: readonly Forgery[] = waysToNameKey.map(({ slug, words, members }) => ({
  requirement: "BEARER-07",
  slug,
  words: `signed with a foreign Ed25519 key ${words}`,
  async forge(token: string, target: Target) {
    const key = foreignKey();
    const named = await members(key.jwk, token, target);
    return resigned(token, (header) => ({ ...header, ...named }), ed25519Signer(key));
  },
}));

/** Of a key set with the foreign key, which a target can download where mailproof has a listener. */
async function keySetUrl(jwk: object, token: string, target: Target): Promise<string> {
  if (target.profile.client_metadata?.publish !== "listener") return "https://keys.example.test/jwks.json";
  const { kid } = membersOf(partsOf(token).header);
  const keys = [{ ...jwk, kid, alg: "EdDSA", use: "sig" }];
  return (await target.documents.serve(() => answeringJson({ keys }))).url;
}

/** What a forgery must get. */
interface ExpectedRefusal {
  /** Reads after "is refused with". */
  readonly words: string;
  readonly assert: typeof expectUnauthorized;
  /** The token that is answered so too where every bad token is refused otherwise. */
  readonly otherwiseLike: ForgeryName;
}

const with401: ExpectedRefusal = {
  words: "401",
  assert: expectUnauthorized,
  otherwiseLike: { requirement: "BEARER-05", slug: "expiry" },
};

const withInvalidToken: ExpectedRefusal = {
  words: "`invalid_token`",
  assert: expectInvalidToken,
  otherwiseLike: { requirement: "BEARER-03", slug: "letter" },
};

function refusal(
  { requirement, slug, words, needs = ["human"], from = () => ({}), forge, sameAs = unverified }: Forgery,
  expected: ExpectedRefusal,
) {
  return protectedEndpoints.map((endpoint) => {
    const idOf = (name: ForgeryName): string => `${name.requirement}/${endpoint.slug}-${name.slug}`;
    const id = idOf({ requirement, slug });
    const explanation = (exchange: Exchange): string | undefined => {
      const explainedBy = idOf(isServed(exchange) ? sameAs : expected.otherwiseLike);
      return explainedBy === id ? undefined : explainedBy;
    };
    return check({
      id,
      claim: `A token ${words} is refused with ${expected.words} by ${endpoint.words}.`,
      needs,
      async act(target) {
        await acceptedToken(target, endpoint);
        const token = await sharedAccessToken(target, from(target));
        return present(target, endpoint, [bearer(await forge(token, target))]);
      },
      assert: (exchange) => explained(explanation(exchange), () => expected.assert(exchange)),
    });
  });
}

// Another server than the mail API, with a verification of its own.
const atMcp = [
  {
    requirement: "BEARER-06",
    slug: "mcp",
    words: "with another `alg` than its own",
    rows: [...unsigned, ...confusions],
  },
  {
    requirement: "BEARER-07",
    slug: "mcp",
    words: "signed with a foreign Ed25519 key, whichever `kid`, `jwk`, `jku` or `x5u` it has,",
    rows: foreignKeys,
  },
].map(({ requirement, slug, words, rows }) =>
  check({
    id: `${requirement}/${slug}`,
    claim: `A token for MCP ${words} is refused with 401 by the MCP endpoint.`,
    needs: ["human"],
    async act(target) {
      const token = await acceptedToken(target, mcpEndpoint);
      const exchanges: Exchange[] = [];
      for (const { forge } of rows)
        exchanges.push(await present(target, mcpEndpoint, [bearer(await forge(token, target))]));
      return exchanges;
    },
    assert(exchanges) {
      for (const exchange of exchanges)
        // Where signatures are not verified at all, that check says so.
        explained("BEARER-04/mcp-flipped-bit", () => expectUnauthorized(exchange));
    },
  }),
);

const lastInbox = check({
  id: "BEARER-04/last-inbox",
  claim:
    "A token with one bit of its signature flipped is refused with `invalid_token` for the last inbox of its owner.",
  needs: ["human"],
  async act(target) {
    const token = await acceptedToken(target, jmapEndpoint);
    const accountId = await lastInboxOf(target);
    requireServed(await jmapAs(target.control, token, accountId, inboxQuery), "the token as it was issued");
    return jmapAs(target, brokenSignature(token), accountId, inboxQuery);
  },
  assert: (exchange) => explained("BEARER-04/jmap-flipped-bit", () => expectInvalidToken(exchange)),
});

export const tamperedTokenChecks = [
  lastInbox,
  ...atMcp,
  ...signatures.flatMap((row) => refusal(row, withInvalidToken)),
  ...[...claims, ...unsigned, ...confusions, ...foreignKeys].flatMap((row) => refusal(row, with401)),
];
