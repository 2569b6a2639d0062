import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { requireChanged } from "./mutations.ts";
import { BlockedError } from "../verdict.ts";
import { isJsonObject } from "../wire/exchange.ts";

type Members = Readonly<Record<string, unknown>>;

function encode(members: Members): string {
  return Buffer.from(JSON.stringify(members)).toString("base64url");
}

function segments(jwt: string): [head: string, payload: string, signature: string] {
  const [head = "", payload = "", signature = ""] = jwt.split(".");
  return [head, payload, signature];
}

/** The members of a JWT segment; empty when it is not a JSON object. */
function decode(segment: string): Members {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : {};
  } catch {
    // Not a JWT of JSON: there is nothing to keep of it.
    return {};
  }
}

/** The header of a JWT, unverified. */
export function jwtHeader(jwt: string): Members {
  return decode(segments(jwt)[0]);
}

/**
 * The JWT with some claims replaced, under its old signature.
 *
 * @throws {BlockedError} when that leaves the claims as they were
 */
export function withClaims(jwt: string, changes: (claims: Members) => Members): string {
  const [head, payload, signature] = segments(jwt);
  const claims = decode(payload);
  return [head, encode(requireChanged(claims, { ...claims, ...changes(claims) })), signature].join(".");
}

/**
 * The claims of another JWT under the header, the signature and the `jti` of this one. Of encrypted ones (RFC 7516 §3.1),
 * which nobody else can take apart: the other one under the authentication tag of this one.
 *
 * @throws {BlockedError} when that leaves the claims as they were
 */
export function withClaimsOf(jwt: string, other: string): string {
  const encrypted = other.split(".");
  if (encrypted.length === 5) return [...encrypted.slice(0, -1), ...jwt.split(".").slice(-1)].join(".");
  const [head, payload, signature] = segments(jwt);
  const { jti, ...claims } = decode(payload);
  const { jti: _jti, ...others } = decode(segments(other)[1]);
  requireChanged(claims, others);
  return [head, encode({ ...others, ...(jti !== undefined && { jti }) }), signature].join(".");
}

/** The JWT with bits changed at the end of its signature, before the last character: that may hold bits that decoders ignore. */
export function withOtherSignature(jwt: string): string {
  const at = jwt.length - 2;
  return jwt.slice(0, at) + (jwt[at] === "A" ? "B" : "A") + jwt.slice(at + 1);
}

/** The JWT with a signature of zero bytes, as long as its own. */
export function zeroSignature(jwt: string): string {
  const [head, payload, signature] = segments(jwt);
  const zeros = Buffer.alloc(Buffer.from(signature, "base64url").length);
  return [head, payload, zeros.toString("base64url")].join(".");
}

/** The characters of base64url by their values (RFC 4648 §5). */
export const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * The JWT in another spelling: the unused bits of its signature's last character are changed (RFC 4648 §3.5).
 *
 * @throws {BlockedError} when its signature leaves no bits unused
 */
export function inOtherSpelling(jwt: string): string {
  const last = base64url.indexOf(jwt.slice(-1));
  if (segments(jwt)[2].length % 4 < 2) throw new BlockedError("needs a signature with unused bits");
  return jwt.slice(0, -1) + base64url.charAt(last ^ 1);
}

/** A JWT without a signature whose header names no algorithm. @param alg - a spelling of `none` */
export function unsigned(header: Members, claims: Members, alg: string): string {
  return `${encode({ ...header, alg })}.${encode(claims)}.`;
}

/** A JWT signed with HMAC SHA-256 over a key of the forger's choice. */
export function signedByHmac(header: Members, claims: Members, key: string | Uint8Array): string {
  const content = `${encode({ ...header, alg: "HS256" })}.${encode(claims)}`;
  return `${content}.${createHmac("sha256", key).update(content).digest("base64url")}`;
}

/** A JWT signed with a fresh Ed25519 key, which its header carries. */
export function signedByOwnKey(header: Members, claims: Members): string {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { kid: _kid, ...kept } = header;
  const content = `${encode({ ...kept, alg: "EdDSA", jwk: publicKey.export({ format: "jwk" }) })}.${encode(claims)}`;
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString("base64url")}`;
}
