import { openSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { type CorrectLogin, correctLogin, expectRefused } from "./session-requests.ts";

const longestPauseSeconds = 570;
// Enough for what is sent before the challenge expires, and for clocks that differ.
const marginSeconds = 30;
// Where a challenge does not say when it expires: it has to leave time to solve it.
const unknownLifeSeconds = 60;

/** How long to wait so that a challenge is about to expire. */
function pauseSeconds({ challenge: { claims } }: CorrectLogin): number {
  const { exp, iat } = claims;
  const lifeSeconds = typeof exp === "number" && typeof iat === "number" ? exp - iat : unknownLifeSeconds;
  return Math.min(longestPauseSeconds, Math.max(lifeSeconds - marginSeconds, lifeSeconds / 2));
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
  await target.wait(pauseSeconds(used));
  const unused = await logIn(target.control, kept);
  if (!isSuccess(unused)) throw controlRefused("a challenge of the same age", "2xx", unused, "POW-40");
  return logIn(target, used);
}

/** A challenge is used up for as long as it lives. Document, "Endpoints", session request bodies. */
export const laterReuseChecks = [
  check({
    id: "POW-34/near-expiry",
    claim: "A login with a used challenge is refused shortly before the challenge expires.",
    waitSeconds: longestPauseSeconds,
    act: reuseLater,
    assert: (exchange) => expectRefused(exchange, "POW-34/same-solution"),
  }),
];
