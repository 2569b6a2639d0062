import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { foreignMailboxes } from "../support/material/foreign-mailboxes.ts";
import { showsText } from "../support/wire/exchange.ts";
import { both } from "./other-ids.checks.ts";

const mailboxNames = check({
  id: "POW-64/mailbox-names",
  claim:
    "With a capability, `Mailbox/get` with the `accountId` of another agent's inbox does not show the name of a mailbox in it.",
  async act(target) {
    const [own, other] = await both(target);
    return foreignMailboxes(own, other);
  },
  assert({ exchange, name }) {
    explained("POW-64/read", () =>
      expectThat(
        !showsText(exchange, name),
        "an error or the agent's own inbox",
        "a mailbox of the other one",
        exchange,
      ),
    );
  },
});

/** Mailboxes whose ids are the same in every account belong to an inbox too. Document, "Authentication", proof-of-work path 5. */
export const otherMailboxChecks = [mailboxNames];
