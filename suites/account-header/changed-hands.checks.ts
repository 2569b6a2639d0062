import { bearer, entriesIn, getAgents, inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { callHook } from "../support/actors/operator.ts";
import { check } from "../support/judging/check.ts";
import { expectOAuthError, expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import { freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { whileUnlinked } from "../support/judging/lost-inbox.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, warning } from "../support/verdict.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import { entryIn, giveInbox, isServed } from "./inbox-owners.ts";
import { expectRefusedWith } from "./selection.ts";

/** What two people get for an inbox that was taken from the first and then given to the second. */
interface ChangedHands {
  readonly accountId: string;
  /** `linkedAt` in the list of the first. */
  readonly formerLinkedAt: unknown;
  /** For a new grant of the second. */
  readonly list: Exchange;
  readonly jmap: Exchange;
  /** For a token that the first got before. */
  readonly former: Exchange;
}

function changedHands(target: Target): Promise<ChangedHands> {
  return target.once("account-header:changed-hands", async (recording) => {
    const accountId = await inboxOf(recording.setup);
    const { access_token: token } = (await freshGrant(recording)).tokens;
    const formerLinkedAt = linkedAtIn(await getAgents(recording.setup, [bearer(token)]), accountId);
    return whileUnlinked(recording, { token, accountId }, async () => {
      const username = target.profile.humans[1]?.consent.username ?? "";
      await giveInbox(recording, { username, accountId }, "give an inbox to another person");
      try {
        return { accountId, formerLinkedAt, ...(await answersTo(recording, token, accountId)) };
      } finally {
        await callHook(recording, "unlink_inbox", { username, account_id: accountId });
      }
    });
  });
}

async function answersTo(
  target: Target,
  formerToken: string,
  accountId: string,
): Promise<Pick<ChangedHands, "list" | "jmap" | "former">> {
  // A grant may keep the inboxes of its consent (C-17), so one that is newer than the change tells whose the inbox is.
  const { access_token: token } = (await freshGrant(target.setup, { human: "second" })).tokens;
  const list = await pollUntil(
    target,
    () => getAgents(target, [bearer(token)]),
    (answer) => entryIn(answer, accountId) !== undefined,
  );
  const jmap = await pollUntil(target, () => jmapAs(target, token, accountId, inboxQuery), isServed);
  if (entryIn(list, accountId) === undefined && !isServed(jmap))
    throw new InconclusiveError(
      "precondition-missing",
      "the inbox is neither listed nor served to the person to whom hooks.link_inbox gave it",
      { exchange: list },
    );
  const former = await pollUntil(
    target,
    () => jmapAs(target, formerToken, accountId, inboxQuery),
    (answer) => !isServed(answer),
  );
  return { list, jmap, former };
}

function linkedAtIn(list: Exchange, accountId: string): unknown {
  return entriesIn(list).find((entry) => entry["accountId"] === accountId)?.["linkedAt"];
}

// Meanwhile nobody else may need the inbox.
const listed = check({
  id: "AGENTS-11/changed-hands",
  claim:
    "An inbox that was taken from one person and given to another is in the list of the other's new grant.",
  needs: ["human", "second-human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: changedHands,
  assert({ accountId, list }) {
    explained("AGENTS-01", () =>
      expectThat(Array.isArray(jsonMembers(list)["agents"]), "a list of inboxes", summary(list), list),
    );
    expectThat(entryIn(list, accountId) !== undefined, `a list with ${accountId}`, "a list without it", list);
  },
});

const linkedAgain = check({
  id: "AGENTS-06/changed-hands",
  claim:
    "`linkedAt` of an inbox changes when it is given to another person; if it stays, the check passes with a warning.",
  needs: ["human", "second-human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const { accountId, formerLinkedAt, list } = await changedHands(target);
    const linkedAt = linkedAtIn(list, accountId);
    if (typeof formerLinkedAt !== "string" || typeof linkedAt !== "string")
      throw new NotApplicableError("the lists do not both say since when the inbox is linked");
    return { list, linkedAt, formerLinkedAt };
  },
  // The operator's hook may be a shortcut that skips the rest of what linking does.
  assert: ({ linkedAt, formerLinkedAt }) =>
    linkedAt === formerLinkedAt
      ? warning(`linkedAt is ${shown(linkedAt)}, as in the list of the person who had it before`)
      : undefined,
});

const served = check({
  id: "HDR-24/changed-hands",
  claim: "An inbox that was taken from one person and given to another is served to the other's new grant.",
  needs: ["human", "second-human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const seen = await changedHands(target);
    const status = entryIn(seen.list, seen.accountId)?.status ?? "active";
    if (status !== "active") throw new NotApplicableError(`the inbox has the status ${status} then`);
    return seen;
  },
  assert: ({ jmap }) => expectThat(isServed(jmap), "method responses", summary(jmap), jmap),
});

const refused = check({
  id: "HDR-14/changed-hands",
  claim:
    "An inbox that was taken from one person and given to another is refused to a token of the first with 403 `access_denied`.",
  needs: ["human", "second-human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: changedHands,
  assert: ({ former }) =>
    explained("HDR-14/handed-over", () => {
      expectRefusedWith(former, [403]);
      expectOAuthError(former, ["access_denied"]);
    }),
});

/** An inbox that is somebody else's now. Document, "Authentication", OAuth 2.0 path 9, and "GET /api/v1/agents". */
export const changedHandsChecks = [listed, linkedAgain, served, refused];
