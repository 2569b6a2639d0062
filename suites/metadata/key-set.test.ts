import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isEdwardsKey, whyNoKeyVerifies } from "./key-set.ts";

// RFC 8037 Appendix A.2.
const published = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };

describe("a key of the set", () => {
  test("is the example of RFC 8037", () => expect(isEdwardsKey(published)).toBe(true));

  test.for([
    { why: "padded", key: { ...published, x: `${published.x}=` } },
    { why: "standard base64", key: { ...published, x: published.x.replace("_", "/") } },
    { why: "hexadecimal", key: { ...published, x: Buffer.from(published.x, "base64url").toString("hex") } },
    { why: "too short", key: { ...published, x: published.x.slice(4) } },
    { why: "a key for agreement", key: { ...published, crv: "X25519" } },
    { why: "an elliptic curve key", key: { ...published, kty: "EC" } },
  ])("is not: $why", ({ key }) => expect(isEdwardsKey(key)).toBe(false));
});

describe("verification offline", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const jwk = publicKey.export({ format: "jwk" });
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = (header: unknown): string => {
    const input = `${encode(header)}.${encode({ sub: "x" })}`;
    return `${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}`;
  };

  test.for([
    { why: "kid on both sides", token: signed({ alg: "EdDSA", kid: "a" }), keys: [{ ...jwk, kid: "a" }] },
    { why: "no kid in the set", token: signed({ alg: "EdDSA", kid: "a" }), keys: [jwk] },
    { why: "no kid in the token", token: signed({ alg: "EdDSA" }), keys: [published, { ...jwk, kid: "a" }] },
  ])("succeeds with $why", ({ token, keys }) => expect(whyNoKeyVerifies(token, keys)).toBeUndefined());

  test.for([
    { why: "another key", token: signed({ alg: "EdDSA" }), keys: [published] },
    { why: "the kid of no key", token: signed({ alg: "EdDSA", kid: "b" }), keys: [{ ...jwk, kid: "a" }] },
    { why: "no JWS", token: "opaque", keys: [jwk] },
  ])("fails with $why", ({ token, keys }) =>
    expect(whyNoKeyVerifies(token, keys)).toEqual(expect.any(String)),
  );
});
