import { type Client, postToken, refreshExchange, type Tokens } from "../support/actors/oauth-client.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, expectTokenRefused, isRefusalStatus } from "../support/judging/expect.ts";
import { freshGrant, type Grant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, Violation, warning } from "../support/verdict.ts";

/**
 * A grant with its tokens oldest first: those of the code exchange, then those of each rotation.
 *
 * @throws {InconclusiveError} control-refused, when the target does not rotate
 */
export async function rotatedGrant(target: Target, times: number, spec: GrantSpec = {}): Promise<Lineage> {
  let grant = await freshGrant(target, spec);
  const generations = [grant.tokens];
  for (let at = 0; at < times; at += 1) {
    grant = await refreshed(target, grant);
    generations.push(grant.tokens);
  }
  return { grant, generations, newest: grant.tokens, oldest: generations[0] ?? grant.tokens };
}

export interface Lineage {
  readonly grant: Grant;
  readonly generations: readonly Tokens[];
  readonly newest: Tokens;
  readonly oldest: Tokens;
}

/**
 * A grant of its own, of a kind that was refreshed twice in this run with nothing wrong: the control of every refused
 * refresh, of the first token as well as of a rotated one.
 *
 * @throws {InconclusiveError} control-refused, when the valid refresh is refused too
 */
export async function refreshableGrant(target: Target, spec: GrantSpec = {}): Promise<Grant> {
  await requireRotation(target, spec);
  return freshGrant(target, spec);
}

/** As {@link refreshableGrant}, rotated so many times. */
export async function rotatableGrant(target: Target, times: number, spec: GrantSpec = {}): Promise<Lineage> {
  await requireRotation(target, spec);
  return rotatedGrant(target, times, spec);
}

export async function requireRotation(target: Target, spec: GrantSpec = {}): Promise<void> {
  await target.once(`control:refresh:${JSON.stringify(Object.entries(spec).toSorted())}`, (recording) =>
    rotatedGrant(recording, 2, spec),
  );
}

/** Presents a refresh token, as the client that it was issued to. */
export function present(target: Target, holder: { client: Client }, tokens: Tokens): Promise<Exchange> {
  return postToken(target, refreshExchange(holder.client, tokens.refresh_token));
}

/**
 * A superseded refresh token was refused. The document revokes the grant and names no code for the attempt itself, so
 * that another 4xx than 400 invalid_grant is worth a warning only.
 */
export function expectReuseRefused(exchange: Exchange): Finding | undefined {
  expectNoTokens(exchange);
  if (!isRefusalStatus(exchange.response.status))
    throw new Violation("the superseded refresh token to be refused", summary(exchange));
  try {
    expectRefreshTokenRejected(exchange);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return warning(`the reuse was refused otherwise: ${error.message}`);
    throw error;
  }
}

/** 400 invalid_grant and no tokens. */
export function expectRefreshTokenRejected(exchange: Exchange): void {
  expectTokenRefused(exchange, ["invalid_grant"]);
}
