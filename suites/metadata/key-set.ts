import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { type Exchange, isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { expectDocument, getDocument, keySetUrl } from "./documents.ts";

/** The set as it was when a check first asked for it. */
export function keySet(target: Target): Promise<Exchange> {
  return getDocument(target, keySetUrl(target));
}

/** The set as it is now: keys may be renewed, and a client asks again when it meets a token with a new one. */
export function presentKeySet(target: Target): Promise<Exchange> {
  return target.send({ method: "GET", url: keySetUrl(target), headers: [["Accept", "application/json"]] });
}

/**
 * The keys of a set that was served with 200 (RFC 7517 §5).
 *
 * @param explainedBy - the requirement that judges by itself whether the set is served
 */
export function expectKeys(exchange: Exchange, explainedBy?: string): JsonObject[] {
  const { keys } = expectDocument(exchange, explainedBy);
  const isKeySet = Array.isArray(keys) && keys.length > 0 && keys.every(isJsonObject);
  if (isKeySet) return keys;
  throw new Violation("keys to be a non-empty array of objects", shown(keys), { exchange, explainedBy });
}

/** Whether a key is an Edwards-curve public key as RFC 8037 §2 writes it, with `x` in unpadded base64url. */
export function isEdwardsKey(key: JsonObject): boolean {
  return edwardsKeyOf(key) !== undefined;
}

/** The public key to verify EdDSA signatures with; undefined when the JWK is no such key. */
function edwardsKeyOf({ kty, crv, x }: JsonObject): KeyObject | undefined {
  if (kty !== "OKP" || (crv !== "Ed25519" && crv !== "Ed448")) return undefined;
  // Node also reads standard base64 and padding, which other verifiers refuse.
  if (typeof x !== "string" || !/^[A-Za-z0-9_-]+$/u.test(x)) return undefined;
  return imported({ kty, crv, x });
}

function imported(key: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "jwk" });
  } catch {
    // Not as long as a key of its curve: the answer to the question.
    return undefined;
  }
}

/** The `kid` of a JWS header, or undefined when it names none. */
export function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    // Not a JWS at all: verification says so.
    return undefined;
  }
}

/**
 * Verifies the signature as a client does that knows nothing but the set: with the key that the token's `kid` names, or,
 * where either side has no `kid`, with any.
 */
export function whyNoKeyVerifies(token: string, keys: readonly unknown[]): string | undefined {
  const [header, payload, signature, ...others] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || others.length > 0)
    return "the token is not a JWS of three parts";
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
