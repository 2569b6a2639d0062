import type { Challenge } from "../../actors/agent.ts";

// The document does not specify a lifetime.
const defaultMs = 120_000;
const maxMarginMs = 10_000;

/**
 * The age in ms at which a challenge is discarded: the target may refuse an expired one, and without computing scrypt. Derived
 * from the claims `iat` and `exp`, less a margin for time in the target's queue.
 */
export function maxAgeMs({ claims }: Pick<Challenge, "claims">): number {
  const { iat, exp } = claims;
  if (typeof exp !== "number") return defaultMs;
  const lifetimeMs = exp * 1000 - (typeof iat === "number" ? iat * 1000 : Date.now());
  return lifetimeMs - Math.min(maxMarginMs, lifetimeMs / 2);
}
