import { check } from "../support/judging/check.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { createNamesake } from "../support/material/created-inboxes.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { expectUnseen, otherAgentsInbox } from "./other-inboxes.ts";

/** An agent owns its inbox itself, whoever types its name at a consent. Document, "What the service does". */
export const takenNameChecks = [
  check({
    id: "AGENTS-11/taken-name-of-an-agent",
    claim: "A person who gives a new inbox the name of an agent's inbox is shown no message of the agent.",
    needs: ["human", "pages"],
    unlockedBy: "new_inbox",
    async act(target) {
      const { marker } = await otherAgentsInbox(target);
      const [name = ""] = ((await sharedAgent(target, "second")).inbox ?? "").split("@");
      if (name === "") throw new InconclusiveError("precondition-missing", "the agent's inbox has no name");
      return { marker, ...(await createNamesake(target, name)) };
    },
    assert({ marker, shown }) {
      for (const exchange of shown) expectUnseen(exchange, marker);
    },
  }),
];
