import { claimsOf } from "../actors/agent.ts";
import { shown } from "./expect.ts";
import { type Exchange, jsonMembers, summary } from "../wire/exchange.ts";
import { Violation } from "../verdict.ts";

/**
 * The audiences of the access token in a token response: one, as a string or an array (RFC 7519 §4.1.3).
 *
 * @throws {Violation} when there is no token, it is not a JWT or it has no audience of text
 */
export function audiencesOf(exchange: Exchange): readonly string[] {
  const { access_token: token } = jsonMembers(exchange);
  if (typeof token !== "string")
    throw new Violation("an access token", summary(exchange), { exchange, explainedBy: "TOKEN-01" });
  const claims = claimsOf(token);
  if (claims === undefined)
    throw new Violation("an access token that is a JWT", "another text", {
      exchange,
      explainedBy: "TOKEN-02",
    });
  const { aud } = claims;
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const texts = audiences.filter((audience) => typeof audience === "string");
  if (texts.length === 0 || texts.length !== audiences.length)
    throw new Violation("an access token with an aud of text", shown(aud), {
      exchange,
      explainedBy: "RES-01",
    });
  return texts;
}

/**
 * The audience is that resource, byte for byte, and nothing beside it. Document, "Authentication", OAuth 2.0 path 6.
 *
 * @param explainedBy - the check that judges the audience without what this one is about
 */
export function expectAudience(exchange: Exchange, resource: string, explainedBy?: string): void {
  const audiences = audiencesOf(exchange);
  if (audiences.length !== 1 || audiences[0] !== resource)
    throw new Violation(`aud ${shown(resource)}`, shown(audiences), { exchange, explainedBy });
}

/** The `aud` of the access token in a token response, whatever it is, for an observation. */
export function audienceInWords(exchange: Exchange): string {
  const { access_token: token } = jsonMembers(exchange);
  return `aud ${shown(typeof token === "string" ? claimsOf(token)?.["aud"] : undefined)}`;
}
