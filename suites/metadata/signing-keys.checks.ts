import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { mediaType } from "../support/wire/exchange.ts";
import { expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { expectKeys, isEdwardsKey, keyIdOf, keySet } from "./key-set.ts";

const served = check({
  id: "JWKS-01",
  claim:
    "The JWK set is a JSON object whose keys is a non-empty array of objects, served without credential.",
  act: keySet,
  assert: (exchange) => void expectKeys(exchange),
});

const edwardsKey = check({
  id: "JWKS-02",
  claim: "The set holds an OKP key on Ed25519 or Ed448 whose x is a public key in base64url without padding.",
  act: keySet,
  assert(exchange) {
    const keys = expectKeys(exchange);
    expectThat(
      keys.some(isEdwardsKey),
      "an EdDSA public key",
      shown(keys.map(({ kty, crv, x }) => ({ kty, crv, x }))),
    );
  },
});

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

const publicOnly = check({
  id: "JWKS-04",
  claim: "No key of the set has a private or symmetric member.",
  act: keySet,
  assert(exchange) {
    const leaked = expectKeys(exchange).flatMap((key) => [
      ...privateMembers.filter((member) => member in key),
      ...(key["kty"] === "oct" ? ["kty oct"] : []),
    ]);
    // Only the names: the values are the very secret.
    expectThat(leaked.length === 0, "public members only", leaked.join(", "));
  },
});

const keyIds = check({
  id: "B-JWK-02",
  claim: "The keys of the set have distinct kids, and the kid of an access token is one of them.",
  needs: ["human"],
  act: async (target) => ({ exchange: await keySet(target), kid: keyIdOf(await sharedAccessToken(target)) }),
  assert: ({ exchange, kid }) =>
    advise(() => {
      const kids = expectKeys(exchange).map((key) => key["kid"]);
      expectThat(
        kids.every((it) => typeof it === "string"),
        "every key to have a kid",
        shown(kids),
      );
      expectThat(new Set(kids).size === kids.length, "distinct kids", shown(kids));
      expectThat(kids.includes(kid), `the kid of the token to be one of ${shown(kids)}`, shown(kid));
    }),
});

const keyUse = check({
  id: "B-JWK-03",
  claim: "EdDSA keys of the set say use sig and alg EdDSA, where they say anything.",
  act: keySet,
  assert: (exchange) =>
    advise(() => {
      for (const { use, alg } of expectKeys(exchange).filter(isEdwardsKey)) {
        expectThat(use === undefined || use === "sig", "use sig or none", shown(use));
        expectThat(
          [undefined, "EdDSA", "Ed25519", "Ed448"].some((it) => it === alg),
          "alg EdDSA or none",
          shown(alg),
        );
      }
    }),
});

const keySetType = check({
  id: "B-JWK-04",
  claim: "The JWK set has the media type application/json or application/jwk-set+json.",
  act: keySet,
  assert: (exchange) =>
    advise(() => {
      expectStatus(exchange, 200);
      const type = mediaType(exchange);
      expectThat(
        ["application/json", "application/jwk-set+json"].includes(type),
        "application/json or application/jwk-set+json",
        type,
      );
    }),
});

export const signingKeyChecks = [served, edwardsKey, publicOnly, keyIds, keyUse, keySetType];
