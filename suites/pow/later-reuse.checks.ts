import { openSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { lifeSeconds, longestLifeSeconds } from "./challenge-life.ts";
import { type CorrectLogin, correctLogin, expectRefused } from "./session-requests.ts";

// Of a challenge that lives for ten minutes.
const usualPauseSeconds = 570;
// Enough for what is sent before the challenge expires, and for clocks that differ.
const marginSeconds = 30;
// Where nothing says when a challenge expires: it has to leave time to solve it.
const unknownLifeSeconds = 60;

/** How long to wait so that a challenge is about to expire. */
function pauseSeconds(target: Target, seconds: number): number {
  const longestPauseSeconds = longestLifeSeconds(target) - marginSeconds;
  return Math.min(longestPauseSeconds, Math.max(seconds - marginSeconds, seconds / 2));
}

// Within the leeway that a target may give an expired challenge (C-39), and beyond what clocks differ by.
const afterExpirySeconds = 20;

interface LaterReuse {
  readonly nearExpiry: Exchange;
  readonly afterExpiry: Exchange;
}

/** Logs in with a challenge, and with another one of the same age a while later: the control of a refusal by then. */
function reuseLater(target: Target): Promise<LaterReuse> {
  return target.once("pow:later-reuse", async (recording) => {
    const used = await correctLogin(recording);
    const logIn = (by: Target, { challenge, proof, apiKey }: CorrectLogin) =>
      openSession(by, challenge.jwt, { ...proof, apiKey });
    const first = await logIn(recording.control, used);
    if (!isSuccess(first))
      throw controlRefused("the first use of a challenge", "2xx", first, "POW-07/session");
    // Only now: a newer challenge may void an older one (C-92).
    const kept = await correctLogin(recording);
    const life = lifeSeconds(recording, used.challenge) ?? unknownLifeSeconds;
    const pause = pauseSeconds(recording, life);
    await recording.wait(pause);
    const unused = await logIn(recording.control, kept);
    if (!isSuccess(unused)) throw controlRefused("a challenge of the same age", "2xx", unused, "POW-40");
    const nearExpiry = await logIn(recording, used);
    await recording.wait(Math.max(0, life - pause) + afterExpirySeconds);
    return { nearExpiry, afterExpiry: await logIn(recording, used) };
  });
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
  return runExchanges().filter((exchange) => exchange.request.url === url && isSuccess(exchange)).length;
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
  ...(
    [
      {
        id: "POW-34/near-expiry",
        words: "shortly before the challenge expires",
        of: ({ nearExpiry }: LaterReuse) => nearExpiry,
        explainedBy: "POW-34/same-solution",
      },
      {
        id: "POW-34/after-expiry",
        words: `${afterExpirySeconds} seconds after the challenge has expired`,
        of: ({ afterExpiry }: LaterReuse) => afterExpiry,
        explainedBy: "POW-34/near-expiry",
      },
    ] as const
  ).map(({ id, words, of, explainedBy }) =>
    check({
      id,
      claim: `A login with a used challenge is refused ${words}.`,
      waitSeconds: usualPauseSeconds + marginSeconds + afterExpirySeconds,
      act: async (target) => of(await reuseLater(target)),
      assert: (exchange) => expectRefused(exchange, explainedBy),
    }),
  ),
  afterOthers,
];
