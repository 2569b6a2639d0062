import type { Challenge } from "../support/actors/agent.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { header } from "../support/wire/exchange.ts";

// A challenge is read, solved and sent within minutes.
const usualLifeSeconds = 600;
// A clock moved further than this ends what other checks stand on.
const daySeconds = 86_400;
// Clocks may differ; a target that is later than this is not following its own exp.
export const leewaySeconds = 60;

/** Declared by each check that waits until a challenge has expired. */
export const expiryWaitSeconds = usualLifeSeconds + leewaySeconds;

/** How old a challenge may get in a run: a clock that can be moved passes hours in no time, else `patience_seconds` bounds it. */
export function longestLifeSeconds({ profile: { clock, patience_seconds } }: Target): number {
  return clock === undefined ? Math.max(usualLifeSeconds, patience_seconds - leewaySeconds) : daySeconds;
}

/**
 * How long a challenge that was just received lives, in seconds. The document names neither `exp` nor `iat` among its
 * claims.
 *
 * @returns undefined when neither the challenge nor the profile tells
 */
export function lifeSeconds(
  { profile: { challenge_max_age_seconds: stated, clock }, nowSeconds }: Target,
  { claims: { exp, iat }, exchange }: Challenge,
): number | undefined {
  if (typeof exp !== "number") return stated;
  if (typeof iat === "number") return exp - iat;
  const now = nowSeconds();
  // Its clock may be behind ours. What a gateway writes into Date does not follow a clock that is moved.
  const date = clock === undefined ? Date.parse(header(exchange, "date") ?? "") / 1000 : now;
  return Math.ceil(exp - Math.min(now, Number.isNaN(date) ? now : date));
}

/**
 * Waits until a minute after a challenge has expired.
 *
 * @throws {BlockedError} when nothing says when the challenge expires, or it lives too long
 */
export async function waitForExpiry(target: Target, challenge: Challenge): Promise<void> {
  const seconds = lifeSeconds(target, challenge);
  if (seconds === undefined)
    throw new BlockedError(
      "needs to know when a challenge expires, and this one has no exp: give challenge_max_age_seconds in the profile",
    );
  const longestSeconds = longestLifeSeconds(target);
  if (seconds > longestSeconds)
    throw new BlockedError(
      `needs a challenge that expires within ${longestSeconds} s; this one lives ${seconds} s`,
    );
  await target.wait(seconds + leewaySeconds);
}
