import { createHash, X509Certificate } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { testCertificate } from "../../fixtures/test-servers/test-certificate.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import type { Exchange } from "../../suites/support/wire/exchange.ts";
import { createHttp } from "../../suites/support/wire/http.ts";
import { jwkThumbprint } from "./jwk-thumbprint.ts";
import { watchFingerprint } from "./watch-fingerprint.ts";

const urls = {
  auth_url: "https://auth.example",
  api_url: "https://api.example",
  mcp_url: "https://mcp.example",
};
const profile = parseProfile(urls, "of the test");

function answered(url: string, body: string, status = 200): Exchange {
  return {
    number: 0,
    startedAt: "",
    durationMs: 1,
    request: { method: "GET", url, headers: [], body: "" },
    response: { status, headers: [], body },
  };
}

const metadataUrl = "https://auth.example/.well-known/oauth-authorization-server";
const metadata = JSON.stringify({ issuer: "https://auth.example", jwks_uri: "https://auth.example/keys" });

test.for([
  ["ES256", {}],
  ["RS256", {}],
  ["EdDSA", { crv: "Ed25519" }],
] as const)("the thumbprint of a key for %s is that of RFC 7638", async ([algorithm, options]) => {
  const { publicKey } = await generateKeyPair(algorithm, { ...options, extractable: true });
  const key = await exportJWK(publicKey);
  expect(jwkThumbprint({ kid: "a", ...key })).toBe(await calculateJwkThumbprint(key));
});

test("the thumbprint of the example of RFC 7638 §3.1", () => {
  const n =
    "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
  expect(jwkThumbprint({ kty: "RSA", n, e: "AQAB", alg: "RS256", kid: "2011-04-29" })).toBe(
    "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
  );
});

test.for([undefined, [], {}, { kty: "oct", k: "secret" }, { kty: "EC", crv: "P-256" }])(
  "%j is not a public key",
  (key) => {
    expect(jwkThumbprint(key)).toBeUndefined();
  },
);

test("a target is known by its issuer, the bytes of its metadata, and the keys that the metadata names", () => {
  const watch = watchFingerprint(profile);
  expect(watch.soFar()).toBeUndefined();
  watch.look(answered("https://auth.example/.well-known/jwks.json", '{"keys":[{"kty":"OKP"}]}'));
  watch.look(answered(metadataUrl, "{}", 503));
  watch.look(answered(metadataUrl, metadata));
  const key = { kty: "OKP", crv: "Ed25519", x: "a" };
  watch.look(answered("https://auth.example/keys", JSON.stringify({ keys: [key, { kty: "oct" }] })));
  // Later answers may be those of an attack, or of a target that was restarted.
  watch.look(answered(metadataUrl, '{"issuer":"another"}'));
  watch.end();
  expect(watch.soFar()).toEqual({
    issuer: "https://auth.example",
    metadataSha256: createHash("sha256").update(metadata).digest("hex"),
    jwkThumbprints: [jwkThumbprint(key)],
  });
});

test("a target is known by the certificate and the key of each https origin, and no other origin counts", async () => {
  const server = createServer(testCertificate, (_request, response) => void response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const http = createHttp({
    timeoutMs: 5000,
    maxBodyBytes: 1000,
    patienceMs: 1000,
    requestsPerSecond: undefined,
    signal: new AbortController().signal,
    network: { ca: testCertificate.cert },
  });
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  const mine = `https://127.0.0.1:${port}`;
  const watch = watchFingerprint(parseProfile({ ...urls, auth_url: mine }, "of the test"));
  const another = watchFingerprint(parseProfile(urls, "of the test"));
  await http.send({ method: "GET", url: `${mine}/` });
  watch.end();
  another.end();
  const certificate = new X509Certificate(testCertificate.cert);
  const key = certificate.publicKey.export({ type: "spki", format: "der" });
  expect(watch.soFar()).toEqual({
    tls: [
      {
        origin: mine,
        certificateSha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
        publicKeySha256: createHash("sha256").update(key).digest("hex"),
      },
    ],
  });
  expect(another.soFar()).toBeUndefined();
});
