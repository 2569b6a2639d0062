import { jmapAs } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { type Writable, writtenElsewhere } from "../support/material/writing-methods.ts";
import type { Target } from "../support/target/target.ts";
import { notSelected } from "./every-method.checks.ts";
import { type MarkedInbox, markedInbox } from "./marked-inboxes.ts";

function writable(target: Target, inbox: MarkedInbox): Writable {
  const { human, accountId, jmapAccountId: account, mailboxId } = inbox;
  return {
    ask: async (body) => jmapAs(target, await sharedAccessToken(target, { human }), accountId, body),
    account,
    mailboxId,
  };
}

/** Methods that write reach no inbox but the selected one. Document, "Authentication", OAuth 2.0 path 9. */
export const everyWriteChecks = notSelected.map(({ requirement, which, words, needs }) =>
  check({
    id: `${requirement}/every-write`,
    claim: `Under the header of one inbox, no method that writes changes or sends anything of ${words} whose \`accountId\` it is called with.`,
    needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, which)];
      return writtenElsewhere(writable(target, own), writable(target.setup, other));
    },
    assert(written) {
      for (const { method, exchange, trace } of written)
        // Where any accountId is served, these checks say so.
        explained(method === "EmailSubmission/set" ? "HDR-15/submission" : `${requirement}/set`, () =>
          expectThat(trace === undefined, `nothing of ${method} in the other inbox`, trace ?? "", exchange),
        );
    },
  }),
);
