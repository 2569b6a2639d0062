import { claimsOf } from "../actors/agent.ts";
import type { Target } from "../target/target.ts";
import { jwtHeader, signedByHmac, signedByOwnKey, unsigned, zeroSignature } from "./jwt-forgery.ts";
import { knownSecrets } from "./known-secrets.ts";
import { publishedKey } from "./published-key.ts";

/**
 * The claims of a JWT signed in the ways that are open to anybody: with HS256 and a key that is known, without a signature,
 * with zero bytes, with a key that the header carries.
 *
 * @throws {InconclusiveError} precondition-missing, when no Ed25519 key is published
 */
export async function anybodysTokens(target: Target, jwt: string): Promise<readonly string[]> {
  const key = await publishedKey(target, jwt);
  const header = jwtHeader(jwt);
  const claims = claimsOf(jwt) ?? {};
  return [
    ...knownSecrets.map(({ secret, kid }) =>
      signedByHmac({ ...header, ...(kid !== undefined && { kid }) }, claims, secret(key)),
    ),
    ...["none", "None", "NONE", "nOnE"].map((alg) => unsigned(header, claims, alg)),
    zeroSignature(jwt),
    signedByOwnKey(header, claims),
  ];
}
