import { inboxQuery, jmapAs, requireServed } from "../support/actors/jmap.ts";
import { callHook, firstUsername } from "../support/actors/operator.ts";
import { check } from "../support/judging/check.ts";
import { expectOAuthError } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { giveInbox, isServed, lists, pollUntilServed } from "./inbox-owners.ts";
import { expectRefusedWith } from "./selection.ts";

const handedOver = check({
  id: "HDR-14/handed-over",
  claim:
    "An inbox that was handed over from one person to another is refused to the first with 403 `access_denied`.",
  needs: ["human", "second-human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const accountId = await inboxOf(target.setup);
    const { access_token: token } = (await freshGrant(target)).tokens;
    const served = await jmapAs(target.control, token, accountId, inboxQuery);
    requireServed(served, "a JMAP request for an inbox that the person owns");
    const second = target.profile.humans[1]?.consent.username ?? "";
    await giveInbox(target, { username: second, accountId }, "hand over an inbox that somebody owns");
    let [isTheirs, isShared] = [false, false];
    try {
      // A grant may keep the inboxes of its consent (C-17), so newer ones tell whose it is.
      const theirs = await freshGrant(target.setup, { human: "second" });
      const seen = await pollUntilServed(target.setup, theirs.tokens.access_token, accountId);
      isTheirs = isServed(seen);
      if (!isTheirs)
        throw new NotApplicableError("the operator cannot hand over an inbox that somebody owns");
      isShared =
        (await lists(target.setup, token, accountId)) && (await newGrantLists(target.setup, accountId));
      if (isShared) throw new NotApplicableError("an inbox may belong to several people");
      return await jmapAs(target, token, accountId, inboxQuery);
    } finally {
      await takingBack(isTheirs, () =>
        callHook(target, "unlink_inbox", { username: second, account_id: accountId }),
      );
      // Where an inbox may belong to several people, a hook may still take it from all of them.
      if (!isShared || !(await newGrantReads(target.setup, accountId)))
        await takingBack(isTheirs, () =>
          callHook(target, "link_inbox", { username: firstUsername(target), account_id: accountId }),
        );
    }
  },
  assert: (exchange) =>
    explained("HDR-14/refused", () => {
      expectRefusedWith(exchange, [403]);
      expectOAuthError(exchange, ["access_denied"]);
    }),
});

/** @param isNeeded - the hand-over was seen; else a hook may say that it has nothing to do */
async function takingBack(isNeeded: boolean, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (isNeeded || !(error instanceof InconclusiveError)) throw error;
  }
}

/** Whether a new grant of the first person lists the inbox. */
async function newGrantLists(target: Target, accountId: string): Promise<boolean> {
  const { tokens } = await freshGrant(target);
  return lists(target, tokens.access_token, accountId);
}

/** Whether a new grant of the first person reads the inbox. */
async function newGrantReads(target: Target, accountId: string): Promise<boolean> {
  const { tokens } = await freshGrant(target);
  return isServed(await jmapAs(target, tokens.access_token, accountId, inboxQuery));
}

/** An inbox that goes from one person to another at once. Document, "Authentication", OAuth 2.0 path 9. */
export const handedOverChecks = [handedOver];
