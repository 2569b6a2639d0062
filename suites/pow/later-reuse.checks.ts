import { type Challenge, openSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { longestLifeSeconds } from "./expiry.checks.ts";
import { type CorrectLogin, correctLogin, expectRefused } from "./session-requests.ts";

// Of a challenge that lives for ten minutes.
const usualPauseSeconds = 570;
// Enough for what is sent before the challenge expires, and for clocks that differ.
const marginSeconds = 30;
// Where a challenge does not say when it expires: it has to leave time to solve it.
const unknownLifeSeconds = 60;

function lifeSeconds({ claims: { exp, iat } }: Challenge): number {
  return typeof exp === "number" && typeof iat === "number" ? exp - iat : unknownLifeSeconds;
}

/** How long to wait so that a challenge is about to expire. */
function pauseSeconds(target: Target, { challenge }: CorrectLogin): number {
  const seconds = lifeSeconds(challenge);
  const longestPauseSeconds = longestLifeSeconds(target) - marginSeconds;
  return Math.min(longestPauseSeconds, Math.max(seconds - marginSeconds, seconds / 2));
}

/** Logs in with a challenge, and with another one of the same age a while later: the control of a refusal by then. */
async function reuseLater(target: Target) {
  const used = await correctLogin(target);
  const logIn = (recording: Target, { challenge, proof, apiKey }: CorrectLogin) =>
    openSession(recording, challenge.jwt, { ...proof, apiKey });
  const first = await logIn(target.control, used);
  if (!isSuccess(first)) throw controlRefused("the first use of a challenge", "2xx", first, "POW-07/session");
  // Only now: a newer challenge may void an older one (C-92).
  const kept = await correctLogin(target);
  await target.wait(pauseSeconds(target, used));
  const unused = await logIn(target.control, kept);
  if (!isSuccess(unused)) throw controlRefused("a challenge of the same age", "2xx", unused, "POW-40");
  return logIn(target, used);
}

const fewestOthers = 12;
const mostOthers = 50;
const betweenLooksMs = 250;
const looksWithoutProgress = 6;
const mostLooks = 80;
// More work than that is not done for this alone: the logins of other checks have to do.
const mostOwnBits = 6;

function sessionsOf({ runExchanges, authUrl }: Target): number {
  const url = `${authUrl}/api/v1/session`;
  return runExchanges.filter((exchange) => exchange.request.url === url && isSuccess(exchange)).length;
}

/** Waits while other checks use challenges up, and uses up some of its own where they use few. */
async function useOthers(target: Target, difficultyBits: number): Promise<void> {
  const before = sessionsOf(target);
  let seen = 0;
  for (
    let looks = 0, still = 0;
    looks < mostLooks && still < looksWithoutProgress && seen < mostOthers;
    looks += 1
  ) {
    await target.pause(betweenLooksMs);
    const now = sessionsOf(target) - before;
    still = now === seen ? still + 1 : 0;
    seen = now;
  }
  for (; seen < fewestOthers && difficultyBits <= mostOwnBits; seen += 1) {
    const { challenge, proof, apiKey } = await correctLogin(target.setup);
    await openSession(target.setup, challenge.jwt, { ...proof, apiKey });
  }
}

const afterOthers = check({
  id: "POW-34/after-others",
  claim: "A login with a used challenge is refused after other challenges were used.",
  async act(target) {
    const { challenge, proof, apiKey } = await correctLogin(target);
    const first = await openSession(target.control, challenge.jwt, { ...proof, apiKey });
    if (!isSuccess(first))
      throw controlRefused("the first use of a challenge", "2xx", first, "POW-07/session");
    await useOthers(target, challenge.difficultyBits);
    return openSession(target, challenge.jwt, { ...proof, apiKey });
  },
  assert: (exchange) => expectRefused(exchange, "POW-34/same-solution"),
});

/** A challenge is used up for as long as it lives. Document, "Endpoints", session request bodies. */
export const laterReuseChecks = [
  check({
    id: "POW-34/near-expiry",
    claim: "A login with a used challenge is refused shortly before the challenge expires.",
    waitSeconds: usualPauseSeconds,
    act: reuseLater,
    assert: (exchange) => expectRefused(exchange, "POW-34/same-solution"),
  }),
  afterOthers,
];
