import { codeExchange, refreshExchange } from "../actors/oauth-client.ts";
import { postTokenSimultaneously } from "../actors/simultaneous-requests.ts";
import { freshCode, freshGrant, type Grant, type GrantSpec } from "../material/grants.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError, Violation } from "../verdict.ts";
import { type Exchange, isSuccess, summary } from "../wire/exchange.ts";
import { adding, type Parameters } from "../wire/parameters.ts";

/**
 * Simultaneous exchanges of one code.
 *
 * @throws {InconclusiveError} control-refused, when every one of the valid exchanges was refused
 */
export async function codeRace(target: Target, count: number, spec: GrantSpec = {}): Promise<Exchange[]> {
  const fields = codeExchange(await freshCode(target, spec));
  return won(await postTokenSimultaneously(target, fields, count), "code exchanges", "TOKEN-01");
}

/** Simultaneous refreshes, and the grant that they are of. */
export interface RefreshRace {
  readonly grant: Grant;
  readonly exchanges: readonly Exchange[];
}

/**
 * @param parameters - sent beside those of every refresh
 * @throws {InconclusiveError} control-refused, when every one of the valid refreshes was refused
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
  return { grant, exchanges: won(exchanges, "refreshes", "REFRESH-01") };
}

function won(exchanges: Exchange[], what: string, explainedBy: string): Exchange[] {
  if (exchanges.some(isSuccess)) return exchanges;
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
