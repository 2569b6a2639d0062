import { check } from "../support/judging/check.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import { expectRefusedWith, selectingValue, servedSelection } from "./selection.ts";

/** Whatever spelling of a UUID is taken, the inbox that it names must be owned. Document, OAuth 2.0 path 9. */
export const foreignSpellingChecks = [
  check({
    id: "HDR-11/upper-case",
    claim: "The `accountId` of another person's inbox in upper case is refused with 400 or 403.",
    needs: ["human", "second-human"],
    async act(target) {
      const { token } = await servedSelection(target);
      const accountId = await foreignInbox(target);
      return selectingValue(target, token, accountId.toUpperCase());
    },
    assert: (exchange) =>
      expectRefusedWith(exchange, [400, 403], {
        served: "HDR-11/mailbox-query",
        status: "HDR-11/mailbox-query",
      }),
  }),
];
