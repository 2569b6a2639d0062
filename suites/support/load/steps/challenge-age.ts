import type { Challenge } from "../../actors/agent.ts";

// The document names no lifetime, and a person with a slow machine must be able to solve one.
const usualMs = 120_000;
const mostMarginMs = 10_000;

/**
 * How old a challenge may become, in ms, before it is thrown away: a target would be right to refuse it, and would need no
 * scrypt to. From its claims `iat` and `exp` where it has them, less a margin for what waits in the target's queue.
 */
export function mostAgeMs({ claims }: Pick<Challenge, "claims">): number {
  const { iat, exp } = claims;
  if (typeof exp !== "number") return usualMs;
  const livesMs = exp * 1000 - (typeof iat === "number" ? iat * 1000 : Date.now());
  return livesMs - Math.min(mostMarginMs, livesMs / 2);
}
