import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import { type Exchange, isJsonObject, type JsonObject, summary } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { expectDocument, getDocument, keySetUrl } from "./documents.ts";

export function keySet(target: Target): Promise<Exchange> {
  return getDocument(target, keySetUrl(target));
}

/** The keys of a set that was served with 200 (RFC 7517 §5). */
export function expectKeys(exchange: Exchange): JsonObject[] {
  const { keys } = expectDocument(exchange);
  const isKeySet = Array.isArray(keys) && keys.length > 0 && keys.every(isJsonObject);
  if (!isKeySet) throw new Violation("keys to be a non-empty array of objects", summary(exchange));
  return keys;
}

/** Whether a key is an Edwards-curve public key as RFC 8037 §2 writes it, with `x` in unpadded base64url. */
export function isEdwardsKey(key: JsonObject): boolean {
  return edwardsKeyOf(key) !== undefined;
}

/** The public key to verify EdDSA signatures with; undefined when the JWK is no such key. */
export function edwardsKeyOf({ kty, crv, x }: JsonObject): KeyObject | undefined {
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
