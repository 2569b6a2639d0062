import type { Target } from "../target/target.ts";

const pollMs = 250;

/** When what has ended must be known everywhere, as a time of `performance.now()`. */
export function propagatedBy(
  { profile }: Target,
  seconds: number = profile.revocation_propagation_seconds,
): number {
  return performance.now() + seconds * 1000;
}

/**
 * Asks a target that may learn late of a change until an answer is final, and at least once when it must have learned of it.
 *
 * @param until - the profile's revocation_propagation_seconds from now, when left out
 * @returns the last answer
 */
export async function pollUntil<Answer>(
  target: Target,
  ask: () => Promise<Answer>,
  isFinal: (answer: Answer) => boolean,
  until: number = propagatedBy(target),
): Promise<Answer> {
  for (;;) {
    // An answer may take longer than the time that is left: the last request is sent when that is over.
    const sentAt = performance.now();
    const answer = await ask();
    if (isFinal(answer) || sentAt >= until) return answer;
    await target.pause(pollMs);
  }
}
