import { postCapability, requireBearer } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { expectPowRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { methodResponses } from "../support/actors/jmap.ts";
import { signUp } from "../support/material/usernames.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { expectNothingShown } from "./expectations.ts";
import { askMailbox, mailboxOf } from "./mailbox.ts";

const capabilitySeconds = 120;
const sessionSeconds = 3600;
const leewaySeconds = 60;

const capabilityAtApiUrl = check({
  id: "POW-51/expired-at-api-url",
  claim: "A JMAP request with a capability is refused 180 seconds after it was minted.",
  waitSeconds: capabilitySeconds + leewaySeconds,
  async act(target) {
    const mailbox = await mailboxOf(target);
    const query = [["Mailbox/query", { filter: { role: "inbox" } }, "0"]] as const;
    const before = await askMailbox(target.control, mailbox, query);
    if (methodResponses(before) === undefined)
      throw controlRefused("a JMAP request with a capability", "200 with methodResponses", before, "POW-66");
    await target.wait(capabilitySeconds + leewaySeconds);
    return askMailbox(target, mailbox, query);
  },
  assert: (exchange) => explained("POW-51/expired", () => expectNothingShown(exchange)),
});

const signupSession = check({
  id: "POW-53/session-of-signup",
  claim: "The session of a signup mints no capability 61 minutes later.",
  waitSeconds: sessionSeconds + leewaySeconds,
  async act(target) {
    const { exchange } = await signUp(target.setup);
    const session = requireBearer(exchange, "a signup", "POW-08");
    const before = await postCapability(target.control, session);
    if (!isSuccess(before)) throw controlRefused("the session before its end", "2xx", before, "POW-10");
    await target.wait(sessionSeconds + leewaySeconds);
    return postCapability(target, session);
  },
  assert: (exchange) => explained("POW-53/refused", () => expectPowRefused(exchange)),
});

/** Lifetimes hold wherever a credential is taken and however it was obtained. Document, "Limits". */
export const otherEndChecks = [capabilityAtApiUrl, signupSession];
