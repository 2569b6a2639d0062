import { type Client, postRevoke, type Tokens } from "../support/actors/oauth-client.ts";
import { requireAccepted } from "../support/judging/access-token-use.ts";
import { postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { freshGrant, type Grant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";

/** Revokes a token with exactly the two fields that the document shows. */
export function revoke(target: Target, client: Client, token: string): Promise<Exchange> {
  return postRevoke(target, [
    ["client_id", client.client_id],
    ["token", token],
  ]);
}

/** A grant that was refreshed once, with its tokens of before. */
export interface RefreshedGrant {
  readonly grant: Grant;
  readonly oldest: Tokens;
  readonly newest: Tokens;
}

/**
 * A grant of its own whose newest access token is served and whose kind of refresh token was refreshed twice in this run:
 * the control of everything that a revocation is to end.
 *
 * @throws {InconclusiveError} control-refused, when tokens are refused before anything was revoked
 */
export async function livingGrant(target: Target, spec: GrantSpec = {}): Promise<RefreshedGrant> {
  await target.once(
    `control:revocation:${JSON.stringify(Object.entries(spec).toSorted())}`,
    async (recording) => {
      const once = await refreshed(recording, await freshGrant(recording, spec));
      return refreshed(recording, once);
    },
  );
  const first = await freshGrant(target, spec);
  const grant = await refreshed(target, first);
  await requireAccepted(target, grant.tokens.access_token);
  return { grant, oldest: first.tokens, newest: grant.tokens };
}

/** Presents a refresh token, as the client that it was issued to. */
export function refreshWith(target: Target, { client }: Grant, tokens: Tokens): Promise<Exchange> {
  return postToken(target, refreshExchange(client, tokens.refresh_token));
}

/** 400 invalid_grant and no tokens. */
export function expectRefreshTokenRejected(exchange: Exchange): void {
  expectTokenRefused(exchange, ["invalid_grant"]);
}
