import { codeExchange, postToken, refreshExchange, requireTokens } from "../actors/oauth-client.ts";
import { postTokenSimultaneously } from "../actors/simultaneous-requests.ts";
import { freshCode, freshGrant, type Grant, type GrantSpec } from "../material/grants.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError, Violation } from "../verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../wire/exchange.ts";
import { adding, type Parameters } from "../wire/parameters.ts";

/**
 * Simultaneous exchanges of one code.
 *
 * @throws {InconclusiveError} control-refused, when an exchange is refused alone, too, or none of these was looked at
 */
export async function codeRace(target: Target, count: number, spec: GrantSpec = {}): Promise<Exchange[]> {
  const fields = codeExchange(await freshCode(target, spec));
  const exchanges = await postTokenSimultaneously(target, fields, count);
  await requireDecided(exchanges, "code exchanges", "TOKEN-01", () => freshGrant(target, spec));
  return exchanges;
}

/** Simultaneous refreshes, and the grant that they are of. */
export interface RefreshRace {
  readonly grant: Grant;
  readonly exchanges: readonly Exchange[];
}

/**
 * @param parameters - sent beside those of every refresh
 * @throws {InconclusiveError} control-refused, when a refresh is refused alone, too, or none of these was looked at
 */
export async function refreshRace(
  target: Target,
  count: number,
  spec: GrantSpec = {},
  parameters: Parameters = [],
): Promise<RefreshRace> {
  const grant = await freshGrant(target, spec);
  const fields = adding(refreshExchange(grant.client, grant.tokens.refresh_token), ...parameters);
  const exchanges = await postTokenSimultaneously(target, fields, count);
  await requireDecided(exchanges, "refreshes", "REFRESH-01", async () => {
    const { client, tokens } = await freshGrant(target, spec);
    const alone = adding(refreshExchange(client, tokens.refresh_token), ...parameters);
    return requireTokens(await postToken(target.control, alone), "a valid refresh", "REFRESH-01");
  });
  return { grant, exchanges };
}

/**
 * A race has a winner, or all of it was refused for the others: a target may end the grant for the second request before it
 * has answered the first (C-96). Then the same request alone must be accepted.
 */
async function requireDecided(
  exchanges: readonly Exchange[],
  what: string,
  explainedBy: string,
  alone: () => Promise<unknown>,
): Promise<void> {
  if (exchanges.some(isSuccess)) return;
  if (exchanges.every((exchange) => jsonMembers(exchange)["error"] === "invalid_grant")) {
    await alone();
    return;
  }
  throw new InconclusiveError(
    "control-refused",
    `${exchanges.length} simultaneous valid ${what}: expected one to be answered 200, got ${exchanges.map(summary).join(", ")}`,
    { exchange: exchanges[0], explainedBy },
  );
}

/** @param what - what was sent at once, as `exchange` */
export function expectOneWinner(exchanges: readonly Exchange[], what: string, explainedBy: string): void {
  const [, second, ...more] = exchanges.filter(isSuccess);
  if (second === undefined) return;
  throw new Violation(
    `at most one ${what} to succeed`,
    `${more.length + 2} of ${exchanges.length} successes`,
    { exchange: second, explainedBy },
  );
}
