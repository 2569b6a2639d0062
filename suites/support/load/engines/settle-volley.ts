import { type Answer, isShed } from "./answer.ts";
import type { InvariantWatch } from "./invariants.ts";
import type { Volley } from "../load-step.ts";
import type { AnswerKind } from "./stream-recorder.ts";

export function kindOf(volley: Volley, answer: Answer): AnswerKind {
  if (isShed(answer)) return "shed";
  return volley.isPlanned(answer.status) ? "planned" : "unplanned";
}

/** Hands the answers of a volley to the invariants and back to the supply. What was shed said nothing about the request. */
export function settleVolley(
  volley: Volley,
  answers: readonly (Answer | undefined)[],
  watch: InvariantWatch,
): void {
  const decided = answers.map((answer) => (answer !== undefined && isShed(answer) ? undefined : answer));
  for (const [at, answer] of answers.entries()) {
    const outgoing = volley.requests[at];
    if (answer !== undefined && outgoing !== undefined && isShed(answer)) watch.watchShed(outgoing, answer);
  }
  watch.watch(volley, decided);
  volley.settled?.(answers);
}
