import type { Tokens } from "../support/actors/oauth-client.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { type Grant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/** A refreshed grant with the tokens of each refresh. */
export interface RotatedGrant {
  readonly grant: Grant;
  /** Those of the code exchange, then those of each rotation. */
  readonly generations: readonly Tokens[];
  readonly oldest: Tokens;
  readonly newest: Tokens;
}

/**
 * A grant of its own, refreshed so many times, so that all of its refresh tokens but the newest are superseded.
 *
 * @throws {InconclusiveError} control-refused, when a valid refresh is refused; precondition-missing, when a refresh returns
 *   a refresh token again, since then nothing is superseded
 */
export async function rotatedGrant(
  target: Target,
  times: number,
  spec: GrantSpec = {},
): Promise<RotatedGrant> {
  let grant = await refreshableGrant(target, spec);
  const generations = [grant.tokens];
  for (let at = 0; at < times; at += 1) {
    grant = await refreshed(target, grant);
    requireSuperseding(grant.tokens, generations, grant.response);
    generations.push(grant.tokens);
  }
  return { grant, generations, newest: grant.tokens, oldest: generations[0] ?? grant.tokens };
}

/**
 * The refresh returned a refresh token that supersedes the earlier ones.
 *
 * @throws {InconclusiveError} precondition-missing, when it returned one of them again
 */
export function requireSuperseding(
  { refresh_token: token }: Tokens,
  earlier: readonly Tokens[],
  refresh: Exchange,
): void {
  if (earlier.every(({ refresh_token: other }) => other !== token)) return;
  throw new InconclusiveError(
    "precondition-missing",
    "needs a superseded refresh token; the refresh returned one that was issued before",
    { exchange: refresh, explainedBy: "REFRESH-02" },
  );
}
