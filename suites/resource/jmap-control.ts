import { jmapAs, requireServed } from "../support/actors/jmap.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/**
 * The control of every token that JMAP is to refuse: with a token of the inbox's owner for JMAP the same request is
 * served. It comes right before, so that whatever a target keeps for the inbox is warm.
 *
 * @throws {InconclusiveError} control-refused, when that is refused too
 */
export async function requireJmapToken(
  target: Target,
  accountId: string,
  body: string,
  owner: WhichHuman = "first",
): Promise<Exchange> {
  const token = await sharedAccessToken(target, { human: owner });
  const exchange = await jmapAs(target.control, token, accountId, body);
  requireServed(exchange, "the same request with its owner's token for the JMAP resource");
  return exchange;
}
