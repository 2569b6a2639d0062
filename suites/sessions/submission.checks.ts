import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { Violation, warning } from "../support/verdict.ts";
import { refusalOf, requireAllowed, senderOf, sendFromAgent } from "./sending.ts";

export const submission = check({
  id: "POW-63",
  claim: "An agent sends a mail to itself by `EmailSubmission/set` with a capability.",
  async act(target) {
    const { email: to } = await senderOf(target.setup);
    return sendFromAgent(target, { to, subject: unguessable() });
  },
  assert(sent) {
    const { exchange, isCreated, isRetried } = sent;
    if (isCreated)
      return isRetried ? warning("sent only with an identityId, which the document leaves out") : undefined;
    requireAllowed(sent);
    throw new Violation(
      "the submission in created",
      isSuccess(exchange) ? `the error ${shown(refusalOf(exchange))}` : summary(exchange),
      { exchange },
    );
  },
});
