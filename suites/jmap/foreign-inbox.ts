import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import { inboxQuery, jmapAs, responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";

/**
 * The second human's first inbox by both its names.
 *
 * @throws {InconclusiveError} control-refused, when its owner is not served
 */
export async function foreignAccount(target: Target): Promise<{ accountId: string; jmapAccountId: string }> {
  const accountId = await foreignInbox(target);
  return target.control.once(`jmap:foreign:${accountId}`, async (recording) => {
    const token = await sharedAccessToken(recording, { human: "second" });
    const exchange = await jmapAs(recording, token, accountId, inboxQuery);
    const jmapAccountId = responseTo(exchange, "0")?.args["accountId"];
    if (typeof jmapAccountId === "string") return { accountId, jmapAccountId };
    throw controlRefused("a query of the second human's inbox", "200 with an accountId", exchange, "JMAP-03");
  });
}
