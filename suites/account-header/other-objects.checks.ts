import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { shownById } from "../support/material/foreign-objects.ts";
import { asking, readingsOf } from "./every-method.checks.ts";
import { markedInbox } from "./marked-inboxes.ts";
import { requireAnswered } from "./two-inboxes.ts";

const otherObjects = check({
  id: "HDR-17/other-ids",
  claim:
    "Under the header of one inbox, no method shows a mailbox, thread, submission or message of another owned inbox by its id.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    return shownById(asking(target, own), await readingsOf(target, other));
  },
  assert(shown) {
    for (const { method, exchange, isForeign } of shown) {
      requireAnswered(exchange);
      explained(method === "Email/get" ? "HDR-17/email-id" : undefined, () =>
        expectThat(!isForeign, `nothing of the other inbox from ${method}`, "an object of it", exchange),
      );
    }
  },
});

/** Objects beside messages belong to an inbox too. Document, "Authentication", OAuth 2.0 path 9. */
export const otherObjectChecks = [otherObjects];
