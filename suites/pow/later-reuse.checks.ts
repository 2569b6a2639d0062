import { claimsOf, openSession, solvedChallenge } from "../support/actors/agent.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, isSuccess } from "../support/wire/exchange.ts";
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

const sessionPath = "/api/v1/session";
const fewestOthers = 12;
const mostOthers = 50;
const betweenLooksMs = 250;
const looksWithoutProgress = 6;
const mostLooks = 80;
// More work than that is not done for this alone: the logins of other checks have to do.
const mostOwnBits = 6;

function sessionRequestsOf({ runExchanges, authUrl }: Target): Exchange[] {
  const url = authUrl + sessionPath;
  return runExchanges().filter((exchange) => exchange.request.url === url && isSuccess(exchange));
}

function sessionsOf(target: Target): number {
  return sessionRequestsOf(target).length;
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

// Requests take a while, and clocks differ.
const expiryMarginSeconds = 5;

interface SpentLogin {
  readonly jwt: string;
  readonly body: string;
}

/** The login that opened a session with that challenge, where it is one that the document describes and nothing else. */
function spentLoginIn({ request: { headers, body } }: Exchange): SpentLogin | undefined {
  const sent = headers.flatMap(([name, value]) => (name.toLowerCase() === "authorization" ? [value] : []));
  const jwt =
    sent.length === 1 ? /^Bearer (?<jwt>[\w.-]+)$/u.exec(sent[0] ?? "")?.groups?.["jwt"] : undefined;
  return jwt === undefined || !isPlainLogin(body) ? undefined : { jwt, body };
}

function isPlainLogin(body: string): boolean {
  try {
    const members: unknown = JSON.parse(body);
    return isJsonObject(members) && Object.keys(members).toSorted().join() === "apiKey,nonce,powHex";
  } catch {
    return false;
  }
}

/** The earliest login of the run whose challenge has not expired, and how many sessions were opened since. */
function earliestUnexpired(target: Target): { login: SpentLogin; since: number } | undefined {
  const opened = sessionRequestsOf(target);
  for (const [at, exchange] of opened.entries()) {
    const login = spentLoginIn(exchange);
    if (login !== undefined && !isExpired(target, login.jwt)) return { login, since: opened.length - at - 1 };
  }
  return undefined;
}

function isExpired(target: Target, jwt: string): boolean {
  const { exp } = claimsOf(jwt) ?? {};
  return typeof exp === "number" && exp < target.nowSeconds() + expiryMarginSeconds;
}

const atEndOfRun = check({
  id: "POW-34/end-of-run",
  claim:
    "When other checks have ended, the earliest login whose challenge has not expired is refused when it is sent again.",
  last: "before-waits",
  async act(target) {
    const found = earliestUnexpired(target);
    if (found === undefined || found.since < fewestOthers)
      throw new NotApplicableError(
        `fewer than ${fewestOthers} sessions were opened since a login whose challenge has not expired`,
      );
    // Another agent with another challenge: a newer login may end the sessions of its agent, which others use (C-92).
    const fresh = await solvedChallenge(target.setup);
    const { apiKey } = await sharedAgent(target.setup, "busy");
    const control = await openSession(target.control, fresh.challenge.jwt, { ...fresh.proof, apiKey });
    if (!isSuccess(control))
      throw controlRefused("a login with a fresh challenge", "2xx", control, "POW-07/session");
    return target.send({
      method: "POST",
      url: target.authUrl + sessionPath,
      headers: [bearer(found.login.jwt), jsonContentType],
      body: found.login.body,
    });
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
  atEndOfRun,
];
