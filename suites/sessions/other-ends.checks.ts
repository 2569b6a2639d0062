import { postCapability, requireBearer } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { expectPowRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { type MethodCall, methodResponses } from "../support/actors/jmap.ts";
import { signUp } from "../support/material/usernames.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { refusedAfterSeconds, sessionLife } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { expectCapability, expectNothingShown } from "./expectations.ts";
import { askMailbox, mailboxOf } from "./mailbox.ts";

const capabilitySeconds = 120;
const leewaySeconds = 60;
const marginSeconds = 60;

// Nothing comes of the changes in any inbox: no message has such an id.
const usesOfCapability: readonly {
  readonly id: string;
  readonly words: string;
  readonly call: MethodCall;
  readonly explainedBy: string;
}[] = [
  {
    id: "POW-51/expired-at-api-url",
    words: "A JMAP request",
    call: ["Mailbox/query", { filter: { role: "inbox" } }, "0"],
    explainedBy: "POW-51/expired",
  },
  {
    id: "POW-51/expired-writes",
    words: "A request for `Email/set`",
    call: ["Email/set", { destroy: ["none"] }, "0"],
    explainedBy: "POW-51/expired-at-api-url",
  },
  {
    id: "POW-51/expired-sends",
    words: "A request for `EmailSubmission/set`",
    call: ["EmailSubmission/set", { create: { s1: { emailId: "none" } } }, "0"],
    explainedBy: "POW-51/expired-at-api-url",
  },
];

const expiredUses = usesOfCapability.map(({ id, words, call, explainedBy }) =>
  check({
    id,
    claim: `${words} with a capability is refused 180 seconds after it was minted.`,
    waitSeconds: capabilitySeconds + leewaySeconds,
    async act(target) {
      const mailbox = await mailboxOf(target);
      const before = await askMailbox(target.control, mailbox, [call]);
      if (methodResponses(before) === undefined)
        throw controlRefused(
          "the same with a fresh capability",
          "200 with methodResponses",
          before,
          "POW-66",
        );
      await target.wait(capabilitySeconds + leewaySeconds);
      return askMailbox(target, mailbox, [call]);
    },
    assert: (exchange) => explained(explainedBy, () => expectNothingShown(exchange)),
  }),
);

/** The session of a signup before its end and after it: once for all checks of a run. */
function signupSessionLife(target: Target): Promise<{ before: Exchange; afterwards: Exchange }> {
  return target.once("sessions:session-of-signup", async (recording) => {
    const { exchange } = await signUp(recording.setup);
    const session = requireBearer(exchange, "a signup", "POW-08");
    const minted = await postCapability(recording.control, session);
    if (!isSuccess(minted)) throw controlRefused("the session at its beginning", "2xx", minted, "POW-10");
    await recording.wait(sessionLife.seconds - marginSeconds);
    const before = await postCapability(recording, session);
    await recording.wait(refusedAfterSeconds(recording, sessionLife) - sessionLife.seconds + marginSeconds);
    return { before, afterwards: await postCapability(recording, session) };
  });
}

const signupSessionLives = check({
  id: "POW-50/session-of-signup",
  claim: "The session of a signup still mints a capability 59 minutes later.",
  waitSeconds: sessionLife.usualWaitSeconds,
  act: async (target) => (await signupSessionLife(target)).before,
  assert: (exchange) => expectCapability(exchange, "POW-50/still-valid"),
});

const signupSessionEnds = check({
  id: "POW-53/session-of-signup",
  claim:
    "The session of a signup mints no capability after its hour and the profile's `token_leeway_seconds`.",
  waitSeconds: sessionLife.usualWaitSeconds,
  act: async (target) => (await signupSessionLife(target)).afterwards,
  assert: (exchange) => explained("POW-53/refused", () => expectPowRefused(exchange)),
});

/** Lifetimes hold wherever a credential is taken and however it was obtained. Document, "Limits". */
export const otherEndChecks = [...expiredUses, signupSessionLives, signupSessionEnds];
