import { claimsOf } from "../support/actors/agent.ts";
import { shown } from "../support/judging/expect.ts";
import { Violation } from "../support/verdict.ts";

/**
 * The audiences of an access token: one, as a string or an array (RFC 7519 §4.1.3).
 *
 * @throws {Violation} when it is no JWT or has no audience of text
 */
export function audiencesOf(accessToken: string): readonly string[] {
  const aud = claimsOf(accessToken)?.["aud"];
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const texts = audiences.filter((audience) => typeof audience === "string");
  if (texts.length === 0 || texts.length !== audiences.length)
    throw new Violation("an access token that is a JWT with aud", shown(aud));
  return texts;
}

/** The audience is that resource, byte for byte, and nothing beside it. Document, "Authentication", OAuth 2.0 path 6. */
export function expectAudience(accessToken: string, resource: string): void {
  const audiences = audiencesOf(accessToken);
  if (audiences.length !== 1 || audiences[0] !== resource)
    throw new Violation(`aud ${shown(resource)}`, shown(audiences));
}
