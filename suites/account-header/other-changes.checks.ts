import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { changesOfOthers, threadWithOthers } from "../support/material/foreign-changes.ts";
import { writable } from "./every-write.checks.ts";
import { markedInbox } from "./marked-inboxes.ts";

/** What a mail store may keep in one log or one index for all inboxes. Document, "Authentication", OAuth 2.0 path 9. */
export const otherChangeChecks = [
  {
    slug: "changes",
    claim:
      "Under the header of one inbox, `Email/changes` does not report new messages of another owned inbox.",
    ask: changesOfOthers,
  },
  {
    slug: "thread",
    claim:
      "Under the header of one inbox, the thread of a draft that answers a message of another owned inbox does not list that message.",
    ask: threadWithOthers,
  },
].map(({ slug, claim, ask }) =>
  check({
    id: `HDR-17/${slug}`,
    claim,
    needs: ["human"],
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
      return ask(writable(target, own), writable(target.setup, other));
    },
    assert({ exchange, isForeign }) {
      // What mixes the inboxes of all people is judged for agents, whoever is first.
      explained(`POW-64/${slug}`, () =>
        expectThat(!isForeign, "nothing of the other inbox", "the id of a message of it", exchange),
      );
    },
  }),
);
