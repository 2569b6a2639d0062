import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { changesOfOthers, threadWithOthers } from "../support/material/foreign-changes.ts";
import { both } from "./other-ids.checks.ts";

/** What a mail store may keep in one log or one index for all inboxes. Document, "What the service does": one inbox per credential. */
export const otherChangeChecks = [
  {
    slug: "changes",
    claim: "With a capability, `Email/changes` does not report new messages of another agent's inbox.",
    ask: changesOfOthers,
  },
  {
    slug: "thread",
    claim:
      "With a capability, the thread of a draft that answers a message of another agent's inbox does not list that message.",
    ask: threadWithOthers,
  },
].map(({ slug, claim, ask }) =>
  check({
    id: `POW-64/${slug}`,
    claim,
    async act(target) {
      const [own, other] = await both(target);
      return ask(own, other);
    },
    assert({ exchange, isForeign }) {
      expectThat(!isForeign, "nothing of the other inbox", "the id of a message of it", exchange);
    },
  }),
);
