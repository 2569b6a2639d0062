import { controlRefused } from "../support/wire/control-refused.ts";
import { claimsOf, logIn, postCapability, requireBearer } from "../support/actors/agent.ts";
import { freshCapability, sharedAgent, sharedSession } from "../support/material/agents.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectPowRefused, expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { bearer } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation } from "../support/verdict.ts";
import { expectCapability, expectDocument } from "./expectations.ts";

/** `exp` less `iat`. @throws {InconclusiveError} precondition-missing, when the token does not say */
function lifeSeconds(token: string): number {
  const { exp, iat } = claimsOf(token) ?? {};
  if (typeof exp === "number" && typeof iat === "number") return exp - iat;
  throw new InconclusiveError("precondition-missing", "the token carries no exp and iat to compare");
}

const declared = [
  { id: "POW-50/claims", name: "session", seconds: 3600, words: "one hour", token: sharedSession },
  { id: "POW-51/claims", name: "capability", seconds: 120, words: "two minutes", token: freshCapability },
].map(({ id, name, seconds, words, token }) =>
  check({
    id,
    claim: `The exp claim of a ${name} JWT is ${words} after its iat claim.`,
    needs: [],
    act: async (target) => lifeSeconds(await token(target)),
    assert(life) {
      expectThat(Math.abs(life - seconds) <= 1, `a life of ${seconds} s`, `${life} s`);
    },
  }),
);

interface CapabilityLife {
  readonly nearItsEnd: Exchange;
  readonly afterwards: Exchange;
  /** A capability that the same session minted after the first had expired, and what it opened. */
  readonly renewed: { readonly minted: Exchange; readonly document: Exchange | undefined };
}

const capabilityWaitSeconds = 180;

/** Within the leeway of 60 seconds that clocks may differ. */
function capabilityLife(target: Target): Promise<CapabilityLife> {
  return target.once("sessions:capability-life", async (recording) => {
    const session = await sharedSession(recording);
    const capability = requireBearer(await postCapability(recording, session), "minting a capability");
    const document = (): Promise<Exchange> => followedSessionDocument(recording, [bearer(capability)]);
    await recording.wait(105);
    const nearItsEnd = await document();
    await recording.wait(capabilityWaitSeconds - 105);
    const afterwards = await document();
    const minted = await postCapability(recording, session);
    const renewed = isSuccess(minted)
      ? await followedSessionDocument(recording, [bearer(requireBearer(minted, "minting a capability"))])
      : undefined;
    return { nearItsEnd, afterwards, renewed: { minted, document: renewed } };
  });
}

const capabilityLives = check({
  id: "POW-51/still-valid",
  claim: "A capability still opens the session document 105 seconds after it was minted.",
  waitSeconds: capabilityWaitSeconds,
  act: capabilityLife,
  assert: ({ nearItsEnd }) => expectDocument(nearItsEnd),
});

const capabilityExpires = check({
  id: "POW-51/expired",
  claim: "A capability is refused at the session document 180 seconds after it was minted.",
  waitSeconds: capabilityWaitSeconds,
  async act(target) {
    const life = await capabilityLife(target);
    requireOpened(life.nearItsEnd);
    return life;
  },
  assert({ afterwards }) {
    const isRefused =
      isRefusalStatus(afterwards.response.status) && jsonMembers(afterwards)["primaryAccounts"] === undefined;
    expectThat(isRefused, "a refusal with 4xx and no session document", summary(afterwards));
  },
});

function requireOpened(exchange: Exchange): void {
  if (isSuccess(exchange)) return;
  throw controlRefused("the capability before its end", "200", exchange);
}

const capabilityRenewed = check({
  id: "POW-52",
  claim: "After a capability has expired, the same session mints another, which works.",
  waitSeconds: capabilityWaitSeconds,
  act: capabilityLife,
  assert({ renewed: { minted, document } }) {
    expectCapability(minted);
    if (document === undefined) throw new Violation("a session document", "no capability to ask for it");
    expectDocument(document);
  },
});

interface SessionLife {
  readonly nearItsEnd: Exchange;
  readonly afterwards: Exchange;
  /** With a new challenge and a new proof of work. */
  readonly login: Exchange;
}

const sessionWaitSeconds = 3660;

function sessionLife(target: Target): Promise<SessionLife> {
  return target.once("sessions:session-life", async (recording) => {
    const { apiKey } = await sharedAgent(recording);
    const session = requireBearer(await logIn(recording, apiKey), "logging in");
    await recording.wait(3540);
    const nearItsEnd = await postCapability(recording, session);
    await recording.wait(sessionWaitSeconds - 3540);
    const afterwards = await postCapability(recording, session);
    return { nearItsEnd, afterwards, login: await logIn(recording, apiKey) };
  });
}

const sessionLives = check({
  id: "POW-50/still-valid",
  claim: "A session still mints a capability 59 minutes after it was opened.",
  waitSeconds: sessionWaitSeconds,
  act: sessionLife,
  assert: ({ nearItsEnd }) => expectCapability(nearItsEnd),
});

const sessionExpires = check({
  id: "POW-53/refused",
  claim: "A session mints no capability 61 minutes after it was opened, although it was used meanwhile.",
  waitSeconds: sessionWaitSeconds,
  async act(target) {
    const life = await sessionLife(target);
    requireOpened(life.nearItsEnd);
    return life;
  },
  assert: ({ afterwards }) => expectPowRefused(afterwards),
});

const sessionRenewed = check({
  id: "POW-53/new-login",
  claim: "After a session has expired, a login with a new challenge and proof of work opens another.",
  waitSeconds: sessionWaitSeconds,
  act: sessionLife,
  assert: ({ login }) => expectCapability(login),
});

const coexistence = check({
  id: "POW-69",
  claim: "What a second login does to the first session, and a second capability to the first.",
  async act(target) {
    const { apiKey } = await sharedAgent(target, "second");
    const session = requireBearer(await logIn(target, apiKey), "logging in");
    requireBearer(await logIn(target, apiKey), "logging in again");
    const first = await postCapability(target, session);
    const document = isSuccess(first)
      ? await afterAnotherCapability(target, session, requireBearer(first, "minting a capability"))
      : undefined;
    return { first, document };
  },
  assert({ first, document }) {
    if (document === undefined) return observation(`the first session is refused: ${summary(first)}`);
    return observation(
      isSuccess(document)
        ? "the first session and the first capability stay valid"
        : `the first session stays valid, the first capability is refused: ${summary(document)}`,
    );
  },
});

async function afterAnotherCapability(
  target: Target,
  session: string,
  capability: string,
): Promise<Exchange> {
  await postCapability(target, session);
  return followedSessionDocument(target, [bearer(capability)]);
}

export const lifetimeChecks = [
  ...declared,
  capabilityLives,
  capabilityExpires,
  capabilityRenewed,
  sessionLives,
  sessionExpires,
  sessionRenewed,
  coexistence,
];
