import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { isJsonObject, jsonMembers, summary } from "../wire/exchange.ts";
import { jwtHeader } from "./jwt-forgery.ts";

/** What the target publishes for verification. */
export interface PublishedKey {
  /** The key set as it was sent. */
  readonly documentText: string;
  /** The key alone, as JSON without spaces. */
  readonly jwkText: string;
  readonly kid: string | undefined;
  /** Its bytes in base64url. */
  readonly x: string;
}

/**
 * The key that signed a JWT, or the first where its header names none of them.
 *
 * @throws {InconclusiveError} precondition-missing, when no Ed25519 key is published
 */
export function publishedKey(target: Target, jwt: string): Promise<PublishedKey> {
  const wanted = jwtHeader(jwt)["kid"];
  return target.setup.once(`published-key:${String(wanted)}`, async (recording) => {
    const exchange = await recording.send({ method: "GET", url: `${target.authUrl}/.well-known/jwks.json` });
    const { keys } = jsonMembers(exchange);
    const candidates = (Array.isArray(keys) ? keys : []).flatMap((key: unknown) =>
      isJsonObject(key) && typeof key["x"] === "string" ? [{ key, x: key["x"] }] : [],
    );
    const found = candidates.find(({ key }) => key["kid"] === wanted) ?? candidates[0];
    if (found === undefined)
      throw new InconclusiveError(
        "precondition-missing",
        `reading the JWK set: expected a key with x, got ${summary(exchange)}`,
        { exchange, explainedBy: "JWKS-02" },
      );
    const { key, x } = found;
    const kid = typeof key["kid"] === "string" ? key["kid"] : undefined;
    return { documentText: exchange.response.body, jwkText: JSON.stringify(key), kid, x };
  });
}
