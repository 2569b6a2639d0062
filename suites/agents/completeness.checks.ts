import { bearer, getAgents } from "../support/actors/jmap.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { accountIdsIn, requireListed } from "./inbox-lists.ts";

/** The people that checks know, and how many inboxes the profile says that they own. */
function owners({ profile }: Target): { which: WhichHuman; owned: number }[] {
  const [first, second] = profile.humans;
  return [
    ...(first === undefined ? [] : [{ which: "first" as const, owned: first.inboxes }]),
    ...(second === undefined ? [] : [{ which: "second" as const, owned: second.inboxes }]),
  ];
}

const allOwned = check({
  id: "AGENTS-11/all-owned",
  claim: "The inbox list of each person shows as many inboxes as the profile says that they own, or more.",
  needs: ["human"],
  act: (target) =>
    Promise.all(
      owners(target).map(async ({ which, owned }) => {
        const list = await getAgents(target, [bearer(await sharedAccessToken(target, { human: which }))]);
        requireListed(list, `the inbox list of the ${which} human`);
        return { list, owned };
      }),
    ),
  assert(lists) {
    for (const { list, owned } of lists) {
      const { length } = accountIdsIn(list);
      expectThat(length >= owned, `${owned} inboxes or more`, `${length}`, list);
    }
  },
});

const pollMs = 250;
const longestMs = 5000;

/** The list for a token, as soon as it has everything that is expected of it, or when the time is up. */
async function listOnce(
  target: Target,
  token: string,
  isComplete: (ids: readonly string[]) => boolean,
): Promise<Exchange> {
  const startedAt = performance.now();
  for (;;) {
    const list = await getAgents(target, [bearer(token)]);
    requireListed(list, "the inbox list after a consent");
    if (isComplete(accountIdsIn(list)) || performance.now() - startedAt > longestMs) return list;
    await target.pause(pollMs);
  }
}

interface AfterConsent {
  /** Account ids in the list before. */
  readonly had: readonly string[];
  /** For a token of the consent, and for an older one. */
  readonly lists: readonly Exchange[];
}

/** @param created - how many inboxes the person created at the consent */
async function listsAfter(
  target: Target,
  decision: "approve" | "approve with a new inbox",
  created: number,
): Promise<AfterConsent> {
  const older = await sharedAccessToken(target);
  const before = await getAgents(target.control, [bearer(older)]);
  requireListed(before, "the inbox list before a consent");
  const had = accountIdsIn(before);
  const { tokens } = await freshGrant(target, { decision });
  const isComplete = (ids: readonly string[]): boolean =>
    missingFrom(ids, had).length === 0 && ids.length >= had.length + created;
  return {
    had,
    lists: [
      await listOnce(target, tokens.access_token, isComplete),
      await listOnce(target, older, isComplete),
    ],
  };
}

function missingFrom(ids: readonly string[], had: readonly string[]): readonly string[] {
  return had.filter((id) => !ids.includes(id));
}

const keptAtConsent = check({
  id: "AGENTS-11/after-consent",
  claim: "After a consent the list has every inbox that it had before, for an older token too.",
  needs: ["human"],
  act: (target) => listsAfter(target, "approve", 0),
  assert({ had, lists }) {
    for (const list of lists) {
      const listed = accountIdsIn(list);
      // A list with none of them is somebody else's.
      const isOwn = had.some((id) => listed.includes(id));
      explained(isOwn ? "AGENTS-11/all-owned" : "BEARER-16/simultaneous-exchanges", () =>
        expectThat(missingFrom(listed, had).length === 0, "the inboxes from before", listed.join(", "), list),
      );
    }
  },
});

const createdAtConsent = check({
  id: "AGENTS-11/created-at-consent",
  claim: "An inbox that the person creates on the consent page stands in the list, for an older token too.",
  needs: ["human"],
  unlockedBy: "new_inbox",
  act: (target) => listsAfter(target, "approve with a new inbox", 1),
  assert({ had, lists }) {
    for (const list of lists) {
      const listed = accountIdsIn(list);
      if (missingFrom(listed, had).length > 0)
        throw new InconclusiveError("control-refused", "an inbox from before the consent is missing", {
          exchange: list,
          explainedBy: "AGENTS-11/after-consent",
        });
      // A list that is cut short for every person lacks the new one as well.
      explained("AGENTS-11/all-owned", () =>
        expectThat(listed.length > had.length, "one inbox more than before", `${listed.length}`, list),
      );
    }
  },
});

/** The list leaves no inbox of the person out. Document, "Endpoints", GET /api/v1/agents and GET /oauth/authorize. */
export const completenessChecks = [allOwned, keptAtConsent, createdAtConsent];
