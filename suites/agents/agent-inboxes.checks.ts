import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { signUp } from "../support/material/usernames.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { requireListed } from "./inbox-lists.ts";

/** An agent owns its inbox itself. Document, "What the service does". */
export const agentInboxChecks = [
  check({
    id: "AGENTS-11/inbox-of-an-agent",
    claim: "A person's inbox list does not show the inbox of an agent that signed itself up.",
    needs: ["human"],
    async act(target) {
      // Nobody gives this one to a person: the suites sign it up, with a random name.
      const { username, exchange } = await signUp(target.setup);
      if (!isSuccess(exchange)) throw controlRefused("signing up an agent", "2xx", exchange, "POW-08");
      const { inbox } = jsonMembers(exchange);
      // A name need not be of one inbox alone: every inbox could bear the same.
      const isDistinct = inbox !== (await sharedAgent(target, "busy")).inbox;
      const list = await getAgents(target, [bearer(await sharedAccessToken(target))]);
      requireListed(list, "the inbox list");
      return { names: [username, ...(isDistinct && typeof inbox === "string" ? [inbox] : [])], list };
    },
    assert({ names, list }) {
      const shown = inboxEntries(list).find(
        ({ inboxId, accountId }) => names.includes(inboxId) || names.includes(accountId),
      );
      expectThat(shown === undefined, "no inbox of an agent", shown?.inboxId ?? "", list);
    },
  }),
];
