import { type Client, postRevoke, type Tokens } from "../support/actors/oauth-client.ts";
import { requireAccepted } from "../support/judging/access-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { freshGrant, type Grant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";

/** Revokes a token with exactly the two fields that the document shows. */
export function revoke(target: Target, client: Client, token: string): Promise<Exchange> {
  return postRevoke(target, [
    ["client_id", client.client_id],
    ["token", token],
  ]);
}

/** A grant that was refreshed once. */
export interface RevocableGrant {
  readonly grant: Grant;
  /** Those of the code exchange. */
  readonly older: Tokens;
  readonly newest: Tokens;
}

/**
 * A refreshed grant of its own, of a kind whose refresh tokens were refreshed and whose access tokens were served in this
 * run: the control of everything that a revocation is to end. Its own tokens were not used, so that no cache knows them.
 *
 * @throws {InconclusiveError} control-refused, when such tokens are refused though nothing was revoked
 */
export async function revocableGrant(target: Target, spec: GrantSpec = {}): Promise<RevocableGrant> {
  await target.control.once(
    `control:revocation:${JSON.stringify(Object.entries(spec).toSorted())}`,
    async (recording) => {
      const { tokens } = await refreshed(recording, await freshGrant(recording, spec));
      await requireAccepted(recording, tokens.access_token);
    },
  );
  const first = await refreshableGrant(target, spec);
  const grant = await refreshed(target, first);
  return { grant, older: first.tokens, newest: grant.tokens };
}

/**
 * The revocation was answered 200.
 *
 * @param refusedToo - the check that judges by itself a refusal of a token like this one; REVOKE-01/status unless given
 */
export function expectRevocationAnswered(exchange: Exchange, refusedToo = "REVOKE-01/status"): void {
  if (exchange.response.status === 200) return;
  throw new Violation("status 200", summary(exchange), {
    exchange,
    explainedBy: isSuccess(exchange) ? "REVOKE-01/status" : refusedToo,
  });
}
