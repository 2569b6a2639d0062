import { type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { showsText } from "../support/wire/exchange.ts";
import { notSelected } from "./every-method.checks.ts";
import { markedInbox, subjectOf } from "./marked-inboxes.ts";
import { ask, requireAnswered } from "./two-inboxes.ts";

const besideOwnIds = notSelected.map(({ requirement, which, words, needs }) =>
  check({
    id: `${requirement}/beside-own-id`,
    claim: `Under the header of one inbox, \`Email/get\` shows no message of ${words} whose id follows one of the inbox's own.`,
    needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, which)];
      const exchange = await ask(target, own, [subjectOf([own.emailId, other.emailId])]);
      return { exchange, other };
    },
    assert({ exchange, other }) {
      requireAnswered(exchange);
      // Accounts may count their messages alike: each has a subject that no other has.
      explained("HDR-17/email-id", () =>
        expectThat(!showsText(exchange, other.marker), "nothing of the other inbox", "its message", exchange),
      );
    },
  }),
);

const totals = notSelected.map(({ requirement, which, words, needs }) =>
  check({
    id: `${requirement}/total`,
    claim: `Under the header of one inbox, the \`total\` of \`Email/query\` for a subject counts no message of ${words} that has it.`,
    needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, which)];
      const query: MethodCall = [
        "Email/query",
        { filter: { subject: other.marker }, calculateTotal: true },
        "0",
      ];
      return ask(target, own, [query]);
    },
    assert(exchange) {
      requireAnswered(exchange);
      const { ids, total } = responseTo(exchange, "0")?.args ?? {};
      if (typeof total !== "number") throw new NotApplicableError("the target counts no messages of a query");
      // A search by words may find others that the inbox has; what it lists is judged by HDR-17/every-query.
      const isUnlisted = Array.isArray(ids) && ids.length === 0 && total > 0;
      expectThat(!isUnlisted, "no ids and a total of 0", `no ids and a total of ${String(total)}`, exchange);
    },
  }),
);

/** The other inbox named beside the selected one's own, or counted. Document, "Authentication", OAuth 2.0 path 9. */
export const besideOwnChecks = [...besideOwnIds, ...totals];
