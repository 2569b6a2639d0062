import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { requireChanged } from "../support/material/mutations.ts";
import { InconclusiveError } from "../support/verdict.ts";

/** A JWS in compact form, its three parts as they stand in the token. */
export interface TokenParts {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** @throws {InconclusiveError} precondition-missing, when the access token is not a JWT in compact form */
export function partsOf(token: string): TokenParts {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    throw new InconclusiveError(
      "precondition-missing",
      "reading the access token: expected a JWT of three parts",
    );
  }
  return { header, payload, signature };
}

export function joined({ header, payload, signature }: TokenParts): string {
  return `${header}.${payload}.${signature}`;
}

/** @throws {InconclusiveError} precondition-missing, when the part is not a JSON object in base64url */
export function membersOf(part: string): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new InconclusiveError("precondition-missing", "reading the access token: a part is not JSON", {
      cause,
    });
  }
  throw new InconclusiveError(
    "precondition-missing",
    "reading the access token: a part is not a JSON object",
  );
}

export function encoded(members: JsonObject): string {
  return Buffer.from(JSON.stringify(members)).toString("base64url");
}

/**
 * The token with other claims and the signature that it had.
 *
 * @throws {BlockedError} when the change leaves the claims as they were
 */
export function withClaims(token: string, change: (claims: JsonObject) => JsonObject): string {
  const parts = partsOf(token);
  const claims = membersOf(parts.payload);
  return joined({ ...parts, payload: encoded(requireChanged(claims, change(claims))) });
}

/** The token with other header members, and a signature over the new header and the same claims. */
export function resigned(
  token: string,
  change: (header: JsonObject) => JsonObject,
  signer: (input: string) => string,
): string {
  const parts = partsOf(token);
  const header = encoded(change(membersOf(parts.header)));
  return joined({ header, payload: parts.payload, signature: signer(`${header}.${parts.payload}`) });
}

/** One bit turned in the middle byte: the last character has spare bits, which a decoder may ignore. */
function withBitFlipped(signature: string): string {
  const bytes = Buffer.from(signature, "base64url");
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return bytes.toString("base64url");
}

/** The same token with a signature that does not hold. */
export function brokenSignature(token: string): string {
  const parts = partsOf(token);
  return joined({ ...parts, signature: withBitFlipped(parts.signature) });
}

export function hmacSigner(key: string | Uint8Array): (input: string) => string {
  return (input) => createHmac("sha256", key).update(input).digest("base64url");
}

export interface ForeignKey {
  readonly privateKey: KeyObject;
  readonly jwk: JsonObject;
}

/** An Ed25519 key that the target has never seen. */
export function foreignKey(): ForeignKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { privateKey, jwk: { ...publicKey.export({ format: "jwk" }) } };
}

export function ed25519Signer({ privateKey }: ForeignKey): (input: string) => string {
  return (input) => sign(null, Buffer.from(input), privateKey).toString("base64url");
}
