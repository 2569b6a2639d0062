import { jmapAs } from "../support/actors/jmap.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { type Writable, writtenElsewhere } from "../support/material/writing-methods.ts";
import { writtenByIds } from "../support/material/writing-by-ids.ts";
import type { Target } from "../support/target/target.ts";
import { notSelected } from "./every-method.checks.ts";
import { type MarkedInbox, markedInbox } from "./marked-inboxes.ts";

export function writable(target: Target, inbox: MarkedInbox): Writable {
  const { human, accountId, jmapAccountId: account, mailboxId, addresses } = inbox;
  return {
    ask: async (body) => jmapAs(target, await sharedAccessToken(target, { human }), accountId, body),
    account,
    mailboxId,
    addresses,
  };
}

const byAccountId = notSelected.map(({ requirement, which, words, needs }) =>
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

const byIds = check({
  id: "HDR-17/every-write",
  claim:
    "Under the header of one inbox, no method that writes changes, destroys or sends anything of another owned inbox by its ids, in `createdIds` or elsewhere.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    return writtenByIds(writable(target, own), writable(target.setup, other));
  },
  assert(written) {
    for (const { method, exchange, trace } of written)
      explained(writesJudgedBy[method], () =>
        expectThat(trace === undefined, `nothing of ${method} in the other inbox`, trace ?? "", exchange),
      );
  },
});

/** Checks that judge the same method with the id of a message in its usual place. */
const writesJudgedBy: Readonly<Record<string, string>> = {
  "Email/set": "HDR-17/update",
  "EmailSubmission/set": "HDR-17/submission",
};

/** Methods that write reach no inbox but the selected one. Document, "Authentication", OAuth 2.0 path 9. */
export const everyWriteChecks: readonly Check[] = [...byAccountId, byIds];
