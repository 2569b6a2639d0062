import { createHash } from "node:crypto";
import { isJsonObject } from "../../suites/support/wire/exchange.ts";

/** RFC 7638 §3.2, and RFC 8037 §2 for OKP: the members that make a public key, in lexicographic order. */
const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  EC: ["crv", "kty", "x", "y"],
  OKP: ["crv", "kty", "x"],
  RSA: ["e", "kty", "n"],
};

/**
 * The SHA-256 thumbprint of a public key, in base64url. jose computes it asynchronously, and has no use for keys that it
 * cannot import.
 *
 * @returns undefined for what is not a key of these types
 */
export function jwkThumbprint(key: unknown): string | undefined {
  if (!isJsonObject(key) || typeof key["kty"] !== "string") return undefined;
  const names = requiredMembers[key["kty"]];
  if (names === undefined || !names.every((name) => typeof key[name] === "string")) return undefined;
  const members = Object.fromEntries(names.map((name) => [name, key[name]]));
  return createHash("sha256").update(JSON.stringify(members)).digest("base64url");
}
