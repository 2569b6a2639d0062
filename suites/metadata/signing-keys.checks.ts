import { check, recommend } from "../support/judging/check.ts";
import { type Exchange, type JsonObject, mediaType, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { expectKeys, isEdwardsKey, keyIdOf, keySet, presentKeySet } from "./key-set.ts";

const served = check({
  id: "JWKS-01",
  claim:
    "The JWK set is a JSON object whose `keys` is a non-empty array of objects, served without a credential.",
  act: keySet,
  assert: (exchange) => void expectKeys(exchange),
});

/** Whether there is a set at all is judged by JWKS-01. */
function publishedKeys(exchange: Exchange): JsonObject[] {
  return expectKeys(exchange, "JWKS-01");
}

const edwardsKey = check({
  id: "JWKS-02",
  claim: "The JWK set holds an OKP key on Ed25519 or Ed448 with its `x` in base64url without padding.",
  act: keySet,
  assert(exchange) {
    const keys = publishedKeys(exchange);
    expectThat(
      keys.some(isEdwardsKey),
      "an EdDSA public key",
      shown(keys.map(({ kty, crv, x }) => ({ kty, crv, x }))),
      exchange,
    );
  },
});

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

const publicOnly = check({
  id: "JWKS-04",
  claim: "No key of the JWK set has a private or symmetric member.",
  act: keySet,
  assert(exchange) {
    const leaked = publishedKeys(exchange).flatMap((key) => [
      ...privateMembers.filter((member) => member in key),
      ...(key["kty"] === "oct" ? ["kty oct"] : []),
    ]);
    // Only the names: the values are the very secret.
    expectThat(leaked.length === 0, "public members only", leaked.join(", "), exchange);
  },
});

const keyIds = recommend({
  id: "B-JWK-02/distinct",
  claim: "No two keys of the JWK set have the same `kid`.",
  act: keySet,
  assert(exchange) {
    // RFC 7517 §4.5: `kid` is optional.
    const kids = publishedKeys(exchange)
      .map((key) => key["kid"])
      .filter((kid) => kid !== undefined);
    expectThat(
      kids.every((kid) => typeof kid === "string") && new Set(kids).size === kids.length,
      "a kid of its own for every key that has one",
      shown(kids),
      exchange,
    );
  },
});

const namedKey = recommend({
  id: "B-JWK-02/named-by-token",
  claim:
    "The `kid` in the header of an access token is that of a key of the JWK set; neither has one where the set is a single key without.",
  needs: ["human"],
  async act(target) {
    const kid = keyIdOf(await sharedAccessToken(target));
    return { exchange: await presentKeySet(target), kid };
  },
  assert({ exchange, kid }) {
    const kids = publishedKeys(exchange).map((key) => key["kid"]);
    expectThat(
      kid === undefined ? kids.length === 1 && kids[0] === undefined : kids.includes(kid),
      `one of ${shown(kids)}`,
      `kid ${shown(kid)}`,
      exchange,
    );
  },
});

const keyUse = recommend({
  id: "B-JWK-03",
  claim: "`use` and `alg` of an EdDSA key of the JWK set, where present, are `sig` and EdDSA.",
  act: keySet,
  assert(exchange) {
    for (const { use, alg } of publishedKeys(exchange).filter(isEdwardsKey)) {
      expectThat(use === undefined || use === "sig", "use sig or none", shown(use), exchange);
      expectThat(
        [undefined, "EdDSA", "Ed25519", "Ed448"].some((it) => it === alg),
        "alg EdDSA or none",
        shown(alg),
        exchange,
      );
    }
  },
});

const keyOperations = recommend({
  id: "B-JWK-03/key-ops",
  claim: "`key_ops` of an EdDSA key of the JWK set, where present, has `verify`.",
  act: keySet,
  assert(exchange) {
    for (const { key_ops: operations } of publishedKeys(exchange).filter(isEdwardsKey)) {
      const allows = operations === undefined || (Array.isArray(operations) && operations.includes("verify"));
      expectThat(allows, "key_ops with verify, or none", shown(operations), exchange);
    }
  },
});

const keySetType = recommend({
  id: "B-JWK-04",
  claim: "The JWK set has the media type `application/json` or `application/jwk-set+json`.",
  act: keySet,
  assert(exchange) {
    publishedKeys(exchange);
    expectThat(
      ["application/json", "application/jwk-set+json"].includes(mediaType(exchange)),
      "application/json or application/jwk-set+json",
      summary(exchange),
      exchange,
    );
  },
});

/** The keys that verify access tokens. Document, "Endpoints", jwks.json. */
export const signingKeyChecks = [
  served,
  edwardsKey,
  publicOnly,
  keyIds,
  namedKey,
  keyUse,
  keyOperations,
  keySetType,
];
