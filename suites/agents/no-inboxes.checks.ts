import { bearer, getAgents } from "../support/actors/jmap.ts";
import { callHook } from "../support/actors/operator.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { accountIdsIn, isListed, requireListed } from "../support/material/inbox-lists.ts";

interface WithoutInboxes {
  /** The only inbox of the second person, which was taken from them. */
  readonly own: string;
  /** Inboxes of the first person. */
  readonly foreign: readonly string[];
  /** For a token that the second person granted before. */
  readonly list: Exchange;
}

function withoutInboxes(target: Target): Promise<WithoutInboxes> {
  return target.once("agents:without-inboxes", async (recording) => {
    const foreign = await getAgents(recording.setup, [bearer(await sharedAccessToken(recording))]);
    requireListed(foreign, "the inbox list of the first human");
    const { access_token: token } = (await freshGrant(recording.setup, { human: "second" })).tokens;
    const ask = (from: Target): Promise<Exchange> => getAgents(from, [bearer(token)]);
    const before = await ask(recording.control);
    requireListed(before, "the inbox list of the second human");
    const [own, ...others] = accountIdsIn(before);
    if (own === undefined || others.length > 0)
      throw new NotApplicableError(`the second person owns ${accountIdsIn(before).length} inboxes`);
    const username = target.profile.humans[1]?.consent.username ?? "";
    const details = { username, account_id: own };
    await callHook(recording, "unlink_inbox", details);
    try {
      const list = await pollUntil(
        recording,
        () => ask(recording),
        (answer) => !lists(answer, own),
      );
      return { own, foreign: accountIdsIn(foreign), list };
    } finally {
      await callHook(recording, "link_inbox", details);
      await pollUntil(
        recording,
        () => ask(recording.setup),
        (answer) => lists(answer, own),
      );
    }
  });
}

function lists(exchange: Exchange, accountId: string): boolean {
  return accountIdsIn(exchange).includes(accountId);
}

// Meanwhile nobody else may need the inbox.
const last = {
  needs: ["human", "second-human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
} as const;

const nobodyElses = check({
  id: "AGENTS-11/only-inbox-lost",
  claim: "A person who has lost their only inbox is listed no inbox of another person.",
  ...last,
  act: withoutInboxes,
  assert({ foreign, list }) {
    const listed = accountIdsIn(list).filter((accountId) => foreign.includes(accountId));
    explained("AGENTS-11", () =>
      expectThat(listed.length === 0, "no inbox of another person", listed.join(", "), list),
    );
  },
});

const emptyList = check({
  id: "AGENTS-01/only-inbox-lost",
  claim:
    "A person who has lost their only inbox is answered 200 with an `agents` array, or the target has ended their grant.",
  ...last,
  async act(target) {
    const seen = await withoutInboxes(target);
    // The grant may end with the inbox that was chosen at its consent; HDR-14 judges what that costs.
    if (seen.list.response.status === 401)
      throw new NotApplicableError("the grant ended with the person's only inbox");
    return seen;
  },
  // Only the form of the list is stated, not that it may be empty.
  assert: ({ list }): Warning | undefined =>
    isListed(list) ? undefined : warning(`a list without inboxes is answered ${summary(list)}`),
});

/** A person may own nothing for a while. Document, "Endpoints", GET /api/v1/agents. */
export const noInboxChecks = [nobodyElses, emptyList];
