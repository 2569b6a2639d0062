import type { AgentStep, Flaw } from "./agent-model.ts";
import type { BrokenHistory } from "./shorten.ts";
import { answered, durationText } from "./story.ts";

const flawWords: Record<Flaw, string> = {
  none: "",
  key: " and a key that nobody has",
  proof: ", its key, and zeros in place of the digest",
};

/** A history of agents as numbered sentences that somebody can follow by hand, and what the last one brought. */
export function agentStoryOf({
  steps,
  outcomes,
  contradiction,
}: BrokenHistory<AgentStep>): readonly string[] {
  const place = new Map(steps.map(({ number }, at) => [number, at + 1]));
  const told = steps.map((step, at) => {
    const sentence = agentSentenceOf(step, (number) => place.get(number) ?? 0);
    return `${at + 1}. ${answered(sentence, outcomes?.get(step.number))}`;
  });
  return [...told, `Expected that to be ${contradiction.expected}.`];
}

/** @param placeOf - where in the story a step is told */
export function agentSentenceOf(step: AgentStep, placeOf: (number: number) => number): string {
  switch (step.kind) {
    case "challenge":
      return "A challenge is issued and solved.";
    case "signup":
      return `A new agent signs up with the challenge of step ${placeOf(step.challenge)}.`;
    case "login":
      return `The ${step.agent} agent logs in with the challenge of step ${placeOf(step.challenge)}${flawWords[step.flaw]}.`;
    case "capability":
      return `The session of step ${placeOf(step.session)} mints a capability.`;
    case "use":
      return `The capability of step ${placeOf(step.capability)} is used to read the mailbox.`;
    case "wait":
      return `${durationText(step.seconds)} pass on the target's clock.`;
  }
}
