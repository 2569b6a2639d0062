import type { PublishedKey } from "./published-key.ts";

/**
 * A key that anybody knows, for tokens signed with HS256: what a verifier takes for its secret that lets the header choose
 * the algorithm (RFC 8725 §2.1), or that has none.
 */
export interface KnownSecret {
  readonly slug: string;
  /** Reads after "keyed with". */
  readonly words: string;
  readonly secret: (key: PublishedKey) => string | Uint8Array;
  /** The `kid` of the header in place of the real one. */
  readonly kid?: string;
}

export const knownSecrets: readonly KnownSecret[] = [
  {
    slug: "key-bytes",
    words: "the bytes of the public key",
    secret: ({ x }) => Buffer.from(x, "base64url"),
  },
  { slug: "key-text", words: "the base64url text of the public key", secret: ({ x }) => x },
  { slug: "jwk-text", words: "the JSON text of the public key", secret: ({ jwkText }) => jwkText },
  { slug: "jwks-text", words: "the text of the JWK set", secret: ({ documentText }) => documentText },
  { slug: "pem-text", words: "the public key as PEM", secret: ({ x }) => pemOf(x) },
  { slug: "key-id", words: "the `kid` of the public key", secret: ({ kid = "" }) => kid },
  { slug: "empty-key", words: "an empty key", secret: () => "" },
  { slug: "secret", words: "the key `secret`", secret: () => "secret" },
  {
    slug: "path-kid",
    words: "an empty key, whose `kid` is the path of an empty file",
    secret: () => "",
    kid: "../../../../../../dev/null",
  },
];

/** What precedes the bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410 §4). */
const ed25519Prefix = Buffer.from("302a300506032b6570032100", "hex");

/** As libraries write and read it, with a line end at its end. */
function pemOf(x: string): string {
  const key = Buffer.concat([ed25519Prefix, Buffer.from(x, "base64url")]);
  return `-----BEGIN PUBLIC KEY-----\n${key.toString("base64")}\n-----END PUBLIC KEY-----\n`;
}
