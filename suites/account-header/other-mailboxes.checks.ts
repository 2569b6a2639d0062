import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { foreignMailboxes } from "../support/material/foreign-mailboxes.ts";
import { showsText } from "../support/wire/exchange.ts";
import { notSelected } from "./every-method.checks.ts";
import { writable } from "./every-write.checks.ts";
import { markedInbox } from "./marked-inboxes.ts";
import { requireAnswered } from "./two-inboxes.ts";

/** Mailboxes whose ids are the same in every account belong to an inbox too. Document, "Authentication", OAuth 2.0 path 9. */
export const otherMailboxChecks = notSelected.map(({ requirement, which, words, needs }) =>
  check({
    id: `${requirement}/mailbox-names`,
    claim: `Under the header of one inbox, \`Mailbox/get\` with the \`accountId\` of ${words} does not show the name of a mailbox in it.`,
    needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, which)];
      return foreignMailboxes(writable(target, own), writable(target.setup, other));
    },
    assert({ exchange, name }) {
      requireAnswered(exchange);
      explained(`${requirement}/get`, () =>
        expectThat(
          !showsText(exchange, name),
          "an error or the selected inbox",
          "a mailbox of the other one",
          exchange,
        ),
      );
    },
  }),
);
