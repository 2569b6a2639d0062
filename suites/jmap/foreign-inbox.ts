import { summary } from "../support/wire/exchange.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import { inboxQuery, jmapAs, responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";

/**
 * The second human's first inbox by both its names.
 *
 * @throws {InconclusiveError} control-refused, when its owner is not served
 */
export async function foreignAccount(target: Target): Promise<{ accountId: string; jmapAccountId: string }> {
  const accountId = await foreignInbox(target);
  return target.once(`jmap:foreign:${accountId}`, async (recording) => {
    const token = await sharedAccessToken(recording, { human: "second" });
    const exchange = await jmapAs(recording, token, accountId, inboxQuery);
    const jmapAccountId = responseTo(exchange, "0")?.args["accountId"];
    if (typeof jmapAccountId === "string") return { accountId, jmapAccountId };
    throw new InconclusiveError("control-refused", `an inbox of the second human: got ${summary(exchange)}`);
  });
}
