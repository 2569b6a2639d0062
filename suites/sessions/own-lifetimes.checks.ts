import {
  logIn,
  openSession,
  postCapability,
  requireBearer,
  solvedChallenge,
} from "../support/actors/agent.ts";
import { bearer } from "../support/actors/jmap.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { NotApplicableError, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { expectCapability, expectSessionDocument } from "./expectations.ts";
import { requireInTime } from "./lifetimes.checks.ts";

const sessionSeconds = 3600;
const leastChallengeAgeSeconds = 60;
const mostChallengeAgeSeconds = 200;

const lateLogin = check({
  id: "POW-50/late-login",
  claim:
    "A session that was opened late in the life of its challenge still mints a capability almost an hour after it was opened.",
  waitSeconds: mostChallengeAgeSeconds + sessionSeconds,
  async act(target) {
    const { apiKey } = await sharedAgent(target, "late");
    const { challenge, proof } = await solvedChallenge(target.setup);
    const { iat, exp } = challenge.claims;
    if (typeof iat !== "number" || typeof exp !== "number")
      throw new NotApplicableError("the challenge shows no exp and iat to wait between");
    const ageSeconds = Math.min((exp - iat) / 2, mostChallengeAgeSeconds);
    // Half of it is what the answers may take.
    if (ageSeconds < leastChallengeAgeSeconds)
      throw new NotApplicableError(
        `a challenge lives for ${exp - iat} s, too short to tell its issue from a login`,
      );
    await target.wait(ageSeconds);
    const login = await openSession(target.setup, challenge.jwt, { ...proof, apiKey });
    const session = requireBearer(login, "logging in with an older challenge", "POW-40");
    await target.wait(sessionSeconds - ageSeconds / 2);
    return postCapability(target, session);
  },
  assert: (exchange) => expectCapability(exchange, "POW-50/still-valid"),
});

const ofSecondSession = check({
  id: "POW-51/second-session",
  claim:
    "A capability of an agent's second session opens the session document 100 seconds after it was minted, whatever the first session minted before.",
  waitSeconds: 160,
  async act(target) {
    const { apiKey } = await sharedAgent(target, "twice");
    const mint = async (): Promise<string> => {
      const session = requireBearer(await logIn(target.setup, apiKey), "logging in", "POW-11");
      return requireBearer(await postCapability(target.setup, session), "minting a capability", "POW-48");
    };
    await mint();
    await target.wait(60);
    const mintedAt = target.elapsedSeconds();
    const capability = await mint();
    await target.wait(100);
    const exchange = await followedSessionDocument(target, [bearer(capability)]);
    return { exchange, ageSeconds: target.elapsedSeconds() - mintedAt };
  },
  assert(aged) {
    requireInTime(aged);
    explained("POW-51/still-valid", () => expectSessionDocument(aged.exchange, "POW-59"));
  },
});

const laterCapabilities = 6;

const besideNewer = check({
  id: "POW-51/beside-newer",
  claim: `A capability opens the session document after its session minted ${laterCapabilities} more.`,
  async act(target) {
    const { apiKey } = await sharedAgent(target, "beside");
    const session = requireBearer(await logIn(target.setup, apiKey), "logging in", "POW-11");
    const mint = async (): Promise<string> =>
      requireBearer(await postCapability(target.setup, session), "minting a capability", "POW-48");
    const first = await mint();
    for (let minted = 0; minted < laterCapabilities; minted += 1) await mint();
    return followedSessionDocument(target, [bearer(first)]);
  },
  assert: (exchange) => expectSessionDocument(exchange, "POW-59"),
});

// A token that shows its time in whole seconds is older then than the login.
const betweenLoginsMs = 1100;

const afterNewLogin = check({
  id: "POW-51/after-new-login",
  claim: "A capability still opens the session document right after another login of its agent.",
  async act(target) {
    const { apiKey } = await sharedAgent(target, "again");
    const session = requireBearer(await logIn(target.setup, apiKey), "logging in", "POW-11");
    const minted = await postCapability(target.setup, session);
    const capability = requireBearer(minted, "minting a capability", "POW-48");
    const before = await followedSessionDocument(target.control, [bearer(capability)]);
    if (!isSuccess(before))
      throw controlRefused("a session document before the other login", "200", before, "POW-59");
    await target.pause(betweenLoginsMs);
    requireBearer(await logIn(target.setup, apiKey), "logging in again", "POW-11");
    return followedSessionDocument(target, [bearer(capability)]);
  },
  assert(exchange) {
    // The document ends a capability by time alone, but shows no agent with two sessions (C-92).
    if (isRefusal(exchange))
      return warning(`the new login ended the capability before its two minutes: ${summary(exchange)}`);
    return expectSessionDocument(exchange, "POW-59");
  },
});

const furtherLogins = 6;

const manySessions = check({
  id: "POW-50/after-six-logins",
  claim: `A session still mints a capability after ${furtherLogins} more logins of its agent.`,
  async act(target) {
    const { apiKey } = await sharedAgent(target, "again");
    const session = requireBearer(await logIn(target.setup, apiKey), "logging in", "POW-11");
    const before = await postCapability(target.control, session);
    if (!isSuccess(before))
      throw controlRefused("a capability before the other logins", "2xx", before, "POW-48");
    for (let login = 1; login <= furtherLogins; login += 1)
      requireBearer(await logIn(target.setup, apiKey), "logging in again", "POW-11");
    return postCapability(target, session);
  },
  assert(exchange) {
    // The document ends a session by time alone, but shows no agent with two (C-92).
    if (isRefusal(exchange))
      return warning(`a later login ended the session before its hour: ${summary(exchange)}`);
    return expectCapability(exchange, "POW-48");
  },
});

/** Sessions and capabilities live from their own issue. Document, "Limits". */
export const ownLifetimeChecks = [lateLogin, ofSecondSession, besideNewer, afterNewLogin, manySessions];
