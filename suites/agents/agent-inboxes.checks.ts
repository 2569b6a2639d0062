import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { requireListed } from "./inbox-lists.ts";

/** An agent owns its inbox itself. Document, "What the service does". */
export const agentInboxChecks = [
  check({
    id: "AGENTS-11/inbox-of-an-agent",
    claim: "A person's inbox list does not show the inbox of an agent that signed itself up.",
    needs: ["human"],
    async act(target) {
      // Nobody gives this one to a person: the suites signed it up, unless signing up fails.
      const { inbox } = await sharedAgent(target, "second");
      if (inbox === undefined)
        throw new InconclusiveError("precondition-missing", "the signup response names no inbox", {
          explainedBy: "POW-09/body",
        });
      // A name need not be of one inbox alone: every inbox could bear the same.
      if (inbox === (await sharedAgent(target, "busy")).inbox)
        throw new InconclusiveError("precondition-missing", "the inboxes of two agents bear the same name");
      const list = await getAgents(target, [bearer(await sharedAccessToken(target))]);
      requireListed(list, "the inbox list");
      return { inbox, list };
    },
    assert({ inbox, list }) {
      const shown = inboxEntries(list).find(
        ({ inboxId, accountId }) => inboxId === inbox || accountId === inbox,
      );
      expectThat(shown === undefined, "no inbox of an agent", shown?.inboxId ?? "", list);
    },
  }),
];
