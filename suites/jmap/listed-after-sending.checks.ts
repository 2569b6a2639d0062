import { bearer, entriesIn, getAgents } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, type JsonObject, summary } from "../support/wire/exchange.ts";
import { isSent, sendFrom, sendFromAny } from "./sending.ts";

/** The list entry of an inbox before a message was sent from it, and the list after that. */
interface Listed {
  readonly before: JsonObject;
  readonly list: Exchange;
}

function listedAfterSending(target: Target): Promise<Listed> {
  return target.once("jmap:listed-after-sending", async (recording) => {
    const credential = [bearer(await sharedAccessToken(recording))];
    const first = await getAgents(recording.setup, credential);
    const { accountId, exchange } = await sendFromAny(recording.setup, async (from) => {
      const to = [await addressOf(recording.setup, from)];
      return sendFrom(recording.setup, from, { to, rcptTo: to });
    });
    if (!isSent({ exchange })) throw controlRefused("sending from an inbox", "created", exchange, "JMAP-08");
    const before = entryOf(first, accountId);
    if (before === undefined)
      throw controlRefused("listing inboxes", "the one that sends", first, "AGENTS-01");
    return { before, list: await getAgents(recording, credential) };
  });
}

function entryOf(list: Exchange, accountId: unknown): JsonObject | undefined {
  return entriesIn(list).find((entry) => entry["accountId"] === accountId);
}

/** An inbox is linked once and activated once, whatever it does then. Document, "Resources", inbox entry. */
export const listedAfterSendingChecks = (
  [
    { id: "AGENTS-06/after-sending", field: "linkedAt", likewise: "AGENTS-06/same-again" },
    { id: "AGENTS-07/after-sending", field: "activatedAt", likewise: "AGENTS-07/same-again" },
  ] as const
).map(({ id, field, likewise }) =>
  check({
    id,
    claim: `The list shows the same \`${field}\` of an inbox before and after it has sent a message.`,
    needs: ["human"],
    async act(target) {
      const listed = await listedAfterSending(target);
      if (typeof listed.before[field] !== "string")
        throw new NotApplicableError(`the list does not show ${field} of the inbox`);
      return listed;
    },
    assert({ before, list }) {
      const after = entryOf(list, before["accountId"]);
      explained("AGENTS-01", () =>
        expectThat(after !== undefined, `a list with ${shown(before["accountId"])}`, summary(list), list),
      );
      explained(likewise, () =>
        expectThat(after?.[field] === before[field], shown(before[field]), shown(after?.[field]), list),
      );
    },
  }),
);
