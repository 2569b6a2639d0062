import { type Challenge, openSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { correctLogin, expectRefused } from "./session-requests.ts";

// A challenge is read, solved and sent within minutes.
const usualLifeSeconds = 600;
// A clock moved further than this ends what other checks stand on.
const daySeconds = 86_400;
// Clocks may differ; a target that is later than this is not following its own exp.
const leewaySeconds = 60;

/** Declared by each check that waits until a challenge has expired. */
export const expiryWaitSeconds = usualLifeSeconds + leewaySeconds;

/** How old a challenge may get in a run: a clock that can be moved passes hours in no time, else `patience_seconds` bounds it. */
export function longestLifeSeconds({ profile: { clock, patience_seconds } }: Target): number {
  return clock === undefined ? Math.max(usualLifeSeconds, patience_seconds - leewaySeconds) : daySeconds;
}

/**
 * Waits until a minute after a challenge has expired.
 *
 * @throws {BlockedError} when the challenge does not say when it expires, or lives too long
 */
export async function waitForExpiry(target: Target, { claims: { exp, iat } }: Challenge): Promise<void> {
  if (typeof exp !== "number" || typeof iat !== "number")
    throw new BlockedError("needs to know when a challenge expires; this one lacks exp or iat");
  const lifeSeconds = exp - iat;
  const longestSeconds = longestLifeSeconds(target);
  if (lifeSeconds > longestSeconds)
    throw new BlockedError(
      `needs a challenge that expires within ${longestSeconds} s; this one lives ${lifeSeconds} s`,
    );
  await target.wait(lifeSeconds + leewaySeconds);
}

/**
 * A login that was solved in time and is sent when its challenge has expired.
 *
 * @throws {BlockedError} when the challenge does not say when it expires, or lives too long
 */
export function expiredLogin(target: Target): Promise<Exchange> {
  return target.once("pow:expired", async (recording) => {
    const { challenge, proof, apiKey } = await correctLogin(recording);
    await waitForExpiry(recording, challenge);
    return openSession(recording, challenge.jwt, { ...proof, apiKey });
  });
}

const expired = check({
  id: "POW-40",
  claim: `A correct login is refused ${leewaySeconds} seconds after its challenge has expired.`,
  waitSeconds: expiryWaitSeconds,
  act: expiredLogin,
  assert: expectRefused,
});

export const expiryChecks = [expired];
