import { controlRefused } from "../support/wire/control-refused.ts";
import { bearerIn, claimsOf, logIn, postCapability, requireBearer } from "../support/actors/agent.ts";
import { sharedAgent, sharedSession } from "../support/material/agents.ts";
import { firstLogin } from "../support/material/agent-controls.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { check, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { explained } from "../support/judging/explained.ts";
import { expectPowRefused, expectThat, isRefusal } from "../support/judging/expect.ts";
import { bearer, type MethodCall, methodResponses } from "../support/actors/jmap.ts";
import { askMailbox, mailboxOf } from "./mailbox.ts";
import { refusedAfterSeconds, sessionLife as sessionTokenLife } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import {
  InconclusiveError,
  NotApplicableError,
  Violation,
  type Warning,
  warning,
} from "../support/verdict.ts";
import {
  expectCapability,
  expectNothingShown,
  expectSession,
  expectSessionDocument,
} from "./expectations.ts";

const declared = [
  {
    id: "POW-50/claims",
    name: "session",
    seconds: 3600,
    words: "one hour",
    mint: firstLogin,
    judgedBy: "POW-11",
  },
  {
    id: "POW-51/claims",
    name: "capability",
    seconds: 120,
    words: "two minutes",
    mint: async (target: Target) => postCapability(target, await sharedSession(target)),
    judgedBy: "POW-48",
  },
].map(({ id, name, seconds, words, mint, judgedBy }) =>
  check({
    id,
    claim: `The \`exp\` of a ${name} JWT is ${words} after its \`iat\`.`,
    async act(target) {
      const exchange = await mint(target);
      const { exp, iat } = claimsOf(requireBearer(exchange, `a ${name}`, judgedBy)) ?? {};
      if (typeof exp === "number" && typeof iat === "number") return { exchange, lifeSeconds: exp - iat };
      throw new NotApplicableError(`the ${name} JWT shows no exp and iat to compare`);
    },
    assert({ exchange, lifeSeconds }) {
      // Two roundings to whole seconds may differ by one.
      if (Math.abs(lifeSeconds - seconds) <= 1) return;
      throw new Violation(`a life of ${seconds} s`, `${lifeSeconds} s`, { exchange });
    },
  }),
);

/** An answer, and how old the capability was by then on the target's clock, at most. */
interface Aged {
  readonly exchange: Exchange;
  readonly ageSeconds: number;
}

interface CapabilityLife {
  readonly nearItsEnd: Aged;
  /** A JMAP request at the same moment. */
  readonly servedNearItsEnd: Aged;
  readonly afterwards: Exchange;
  /** A capability that the same session minted after the first had expired, and what it opened. */
  readonly renewed: { readonly minted: Exchange; readonly document: Exchange | undefined };
}

const capabilitySeconds = 120;
const capabilityWaitSeconds = 180;

/** Fifteen seconds before its end, and sixty after it: so far clocks may differ. */
function capabilityLife(target: Target): Promise<CapabilityLife> {
  return target.once("sessions:capability-life", async (recording) => {
    // Looked up before: a slow target would take the seconds that are left.
    const mailbox = await mailboxOf(recording);
    const session = await sharedSession(recording);
    const mintedAt = recording.elapsedSeconds();
    const capability = requireBearer(
      await postCapability(recording, session),
      "minting a capability",
      "POW-48",
    );
    const document = (): Promise<Exchange> => followedSessionDocument(recording, [bearer(capability)]);
    const aged = async (answer: Promise<Exchange>): Promise<Aged> => ({
      exchange: await answer,
      ageSeconds: recording.elapsedSeconds() - mintedAt,
    });
    await recording.wait(105);
    const query: MethodCall = ["Mailbox/query", { filter: { role: "inbox" } }, "0"];
    const [nearItsEnd, servedNearItsEnd] = await Promise.all([
      aged(document()),
      aged(askMailbox(recording, { ...mailbox, capability }, [query])),
    ]);
    await recording.wait(capabilityWaitSeconds - 105);
    const afterwards = await document();
    const minted = await postCapability(recording, session);
    const renewed = isSuccess(minted)
      ? await followedSessionDocument(recording, [
          bearer(requireBearer(minted, "minting a capability", "POW-48")),
        ])
      : undefined;
    return { nearItsEnd, servedNearItsEnd, afterwards, renewed: { minted, document: renewed } };
  });
}

/** @throws {InconclusiveError} precondition-missing, when a slow target has refused the capability after its two minutes */
export function requireInTime({ exchange, ageSeconds }: Aged): void {
  if (isSuccess(exchange) || ageSeconds <= capabilitySeconds) return;
  throw new InconclusiveError(
    "precondition-missing",
    `needs an answer within ${capabilitySeconds} s of the mint, got it after ${Math.round(ageSeconds)} s`,
    { exchange },
  );
}

const capabilityLives = check({
  id: "POW-51/still-valid",
  claim: "A capability still opens the session document 105 seconds after it was minted.",
  waitSeconds: capabilityWaitSeconds,
  act: async (target) => (await capabilityLife(target)).nearItsEnd,
  assert(aged) {
    requireInTime(aged);
    expectSessionDocument(aged.exchange, "POW-59");
  },
});

const capabilityServes = check({
  id: "POW-51/still-valid-at-api-url",
  claim: "A JMAP request with a capability is still answered 105 seconds after it was minted.",
  waitSeconds: capabilityWaitSeconds,
  act: async (target) => (await capabilityLife(target)).servedNearItsEnd,
  assert(aged) {
    requireInTime(aged);
    const { exchange } = aged;
    explained("POW-66", () =>
      expectThat(methodResponses(exchange) !== undefined, "method responses", summary(exchange), exchange),
    );
  },
});

const capabilityExpires = check({
  id: "POW-51/expired",
  claim: "A capability is refused at the session document 180 seconds after it was minted.",
  waitSeconds: capabilityWaitSeconds,
  async act(target) {
    const {
      nearItsEnd: { exchange: nearItsEnd },
      afterwards,
    } = await capabilityLife(target);
    if (!isSuccess(nearItsEnd))
      throw controlRefused("the capability before its end", "2xx", nearItsEnd, "POW-51/still-valid");
    target.control.cite(nearItsEnd);
    return afterwards;
  },
  assert: expectNothingShown,
});

const capabilityRenewed = check({
  id: "POW-52",
  claim: "After a capability has expired, the same session mints another that opens the session document.",
  waitSeconds: capabilityWaitSeconds,
  act: async (target) => (await capabilityLife(target)).renewed,
  assert({ minted, document }) {
    expectCapability(minted);
    if (document !== undefined) expectSessionDocument(document, "POW-59");
  },
});

interface SessionLife {
  readonly nearItsEnd: Exchange;
  /** With the capability that was minted near the end of the session, after that end; undefined when there is none. */
  readonly capabilityAfterIt: Exchange | undefined;
  readonly afterwards: Exchange;
  /** With a new challenge and a new proof of work. */
  readonly login: Exchange;
  /** With the expired session, beside the new one. */
  readonly afterLogin: Exchange;
}

const sessionWaitSeconds = sessionTokenLife.usualWaitSeconds;
// Before the end of a capability, and beyond the end of the session that minted it.
const marginSeconds = 30;

function sessionLife(target: Target): Promise<SessionLife> {
  return target.once("sessions:session-life", async (recording) => {
    const { apiKey } = await sharedAgent(recording, "lasting");
    const session = requireBearer(await logIn(recording, apiKey), "logging in", "POW-11");
    await recording.wait(3540);
    const nearItsEnd = await postCapability(recording, session);
    const capability = isSuccess(nearItsEnd) ? bearerIn(nearItsEnd) : undefined;
    await recording.wait(capabilitySeconds - marginSeconds);
    const capabilityAfterIt =
      capability === undefined ? undefined : await followedSessionDocument(recording, [bearer(capability)]);
    const waitedSeconds = 3540 + capabilitySeconds - marginSeconds;
    await recording.wait(refusedAfterSeconds(recording, sessionTokenLife) - waitedSeconds);
    const afterwards = await postCapability(recording, session);
    const login = await logIn(recording, apiKey);
    const afterLogin = await postCapability(recording, session);
    return { nearItsEnd, capabilityAfterIt, afterwards, login, afterLogin };
  });
}

const sessionLives = check({
  id: "POW-50/still-valid",
  claim: "A session still mints a capability 59 minutes after it was opened.",
  waitSeconds: sessionWaitSeconds,
  act: async (target) => (await sessionLife(target)).nearItsEnd,
  assert: (exchange) => expectCapability(exchange, "POW-48"),
});

const capabilityOutlivesSession = check({
  id: "POW-51/after-session",
  claim: `A capability that a session minted in its last minute opens the session document ${capabilitySeconds - marginSeconds} s later.`,
  waitSeconds: sessionWaitSeconds,
  act: sessionLife,
  assert({ nearItsEnd, capabilityAfterIt }): Warning | undefined {
    if (capabilityAfterIt === undefined) expectCapability(nearItsEnd, "POW-50/still-valid");
    // Two lifetimes end here, and the document says nothing about which goes first.
    else if (isRefusal(capabilityAfterIt))
      return warning("a capability ended with the session that minted it, before its 2 minutes were over");
    else expectSessionDocument(capabilityAfterIt, "POW-51/still-valid");
    return undefined;
  },
});

const sessionExpires = check({
  id: "POW-53/refused",
  claim:
    "A session mints no capability after its hour and the profile's `token_leeway_seconds`, although it was used meanwhile.",
  waitSeconds: sessionWaitSeconds,
  async act(target) {
    const { nearItsEnd, afterwards } = await sessionLife(target);
    if (!isSuccess(nearItsEnd))
      throw controlRefused("the session before its end", "2xx", nearItsEnd, "POW-50/still-valid");
    target.control.cite(nearItsEnd);
    return afterwards;
  },
  assert: expectPowRefused,
});

const expiredBesideNewer = check({
  id: "POW-53/after-new-login",
  claim: "An expired session mints no capability, even after a new login of its agent.",
  waitSeconds: sessionWaitSeconds,
  async act(target) {
    const { nearItsEnd, login, afterLogin } = await sessionLife(target);
    if (!isSuccess(nearItsEnd))
      throw controlRefused("the session before its end", "2xx", nearItsEnd, "POW-50/still-valid");
    if (!isSuccess(login)) throw controlRefused("a new login", "2xx", login, "POW-53/new-login");
    target.control.cite(nearItsEnd);
    return afterLogin;
  },
  assert: (exchange) => explained("POW-53/refused", () => expectPowRefused(exchange)),
});

const sessionRenewed = check({
  id: "POW-53/new-login",
  claim: "After a session has expired, a login with a new challenge and proof of work opens another.",
  waitSeconds: sessionWaitSeconds,
  act: async (target) => (await sessionLife(target)).login,
  assert: (exchange) => expectSession(exchange, "POW-11"),
});

interface NewerCredentials {
  /** Minted by the first session after a second login. */
  readonly minted: Exchange;
  /** Opened by the first capability after a second one; undefined when the first session minted none. */
  readonly document: Exchange | undefined;
}

function newerCredentials(target: Target): Promise<NewerCredentials> {
  return target.once("sessions:newer-credentials", async (recording) => {
    const { apiKey } = await sharedAgent(recording, "busy");
    const session = requireBearer(await logIn(recording, apiKey), "logging in", "POW-11");
    requireBearer(await logIn(recording, apiKey), "logging in again", "POW-11");
    const minted = await postCapability(recording, session);
    if (!isSuccess(minted)) return { minted, document: undefined };
    const capability = requireBearer(minted, "minting a capability", "POW-02/capability");
    await postCapability(recording, session);
    return { minted, document: await followedSessionDocument(recording, [bearer(capability)]) };
  });
}

const afterNewLogin = check({
  id: "POW-50/after-new-login",
  claim: "A session still mints a capability after another login of its agent.",
  act: async (target) => (await newerCredentials(target)).minted,
  assert(exchange) {
    // The document ends a session by time alone, but shows no agent with two.
    if (isRefusal(exchange))
      return warning(`the new login ended the session before its hour: ${summary(exchange)}`);
    return expectCapability(exchange, "POW-48");
  },
});

const coexistence = observe({
  id: "POW-69",
  question: "Do the first session and the first capability of an agent stay valid beside newer ones?",
  act: newerCredentials,
  answer({ minted, document }) {
    if (document === undefined) return `the first session is refused with ${summary(minted)}`;
    return isSuccess(document)
      ? "both stay valid"
      : `the first session stays valid, the first capability is refused with ${summary(document)}`;
  },
});

export const lifetimeChecks = [
  ...declared,
  capabilityLives,
  capabilityServes,
  capabilityExpires,
  capabilityRenewed,
  sessionLives,
  capabilityOutlivesSession,
  sessionExpires,
  expiredBesideNewer,
  sessionRenewed,
  afterNewLogin,
  coexistence,
];
