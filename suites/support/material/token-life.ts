import type { Target } from "../target/target.ts";

// The default of the profile's token_leeway_seconds.
const usualLeewaySeconds = 60;

/** A kind of token that the profile's `token_leeway_seconds` holds for. Document, "Limits"; C-39. */
export interface TokenLife {
  readonly seconds: number;
  /** What a check that waits for its end declares: the profile may ask for more. */
  readonly usualWaitSeconds: number;
}

function lifeOf(seconds: number): TokenLife {
  return { seconds, usualWaitSeconds: seconds + usualLeewaySeconds };
}

export const accessTokenLife = lifeOf(900);
export const sessionLife = lifeOf(3600);

/** After so many seconds from its issue a token must be refused. */
export function refusedAfterSeconds({ profile }: Target, { seconds }: TokenLife): number {
  return seconds + profile.token_leeway_seconds;
}
