import { bearer, getAgents, inboxQuery, jmapAs, methodResponses } from "../support/actors/jmap.ts";
import { callHook, firstUsername } from "../support/actors/operator.ts";
import { check } from "../support/judging/check.ts";
import { expectOAuthError, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectRefusedWith } from "./selection.ts";

/** What an access token gets for an inbox that its person owned until a moment ago. */
interface LostInbox {
  readonly accountId: string;
  readonly jmap: Exchange;
  readonly agents: Exchange;
}

function lostInbox(target: Target): Promise<LostInbox> {
  return target.once("account-header:lost-inbox", async (recording) => {
    const accountId = await inboxOf(recording.setup);
    const { access_token: token } = (await freshGrant(recording)).tokens;
    const served = await jmapAs(recording.control, token, accountId, inboxQuery);
    if (methodResponses(served) === undefined)
      throw controlRefused("a JMAP request for an inbox that the person owns", "method responses", served);
    const details = { username: firstUsername(target), account_id: accountId };
    await callHook(recording, "unlink_inbox", details);
    try {
      return {
        accountId,
        jmap: await jmapAs(recording, token, accountId, inboxQuery),
        agents: await getAgents(recording, [bearer(token)]),
      };
    } finally {
      await callHook(recording, "link_inbox", details);
    }
  });
}

// Meanwhile nobody else may need the inbox.
const refused = check({
  id: "HDR-14/refused",
  claim: "The first request for an inbox that the person has lost is refused with 403 `access_denied`.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  act: async (target) => (await lostInbox(target)).jmap,
  assert(exchange) {
    explained("HDR-11/mailbox-query", () => {
      expectRefusedWith(exchange, [403]);
      expectOAuthError(exchange, ["access_denied"]);
    });
  },
});

const notListed = check({
  id: "HDR-14/not-listed",
  claim: "An inbox that the person has lost is not in the inbox list.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const { accountId, agents } = await lostInbox(target);
    return { accountId, agents };
  },
  assert({ accountId, agents }) {
    const { agents: entries } = jsonMembers(agents);
    expectThat(Array.isArray(entries), "a list of inboxes", summary(agents), agents);
    const ids = (Array.isArray(entries) ? entries : []).map((entry: unknown) =>
      isJsonObject(entry) ? entry["accountId"] : undefined,
    );
    explained("AGENTS-11", () =>
      expectThat(!ids.includes(accountId), `a list without ${accountId}`, "a list with it", agents),
    );
  },
});

export const ownershipLossChecks = [refused, notListed];
