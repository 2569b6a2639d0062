import type { ClientName, Step } from "./grants.ts";
import type { Contradiction } from "./contradiction.ts";
import type { BrokenHistory } from "./shorten.ts";

const clientWords: Record<ClientName, string> = {
  public: "the first public client",
  other: "the second public client",
  confidential: "the confidential client",
};

/** A history as numbered sentences that somebody can follow by hand, and what the last one brought. */
export function storyOf({ steps, outcomes, contradiction }: BrokenHistory): readonly string[] {
  const place = new Map(steps.map(({ number }, at) => [number, at + 1]));
  const placeOf = (number: number): number => place.get(number) ?? 0;
  const told = steps.map(
    (step, at) => `${at + 1}. ${answered(sentenceOf(step, placeOf), outcomes?.get(step.number))}`,
  );
  return [...told, `Expected ${subjectOf(contradiction, placeOf)} to be ${contradiction.expected}.`];
}

/** A sentence and what the step in it was answered, where that is known. */
export function answered(sentence: string, isAccepted: boolean | undefined): string {
  if (isAccepted === undefined) return sentence;
  return `${sentence.slice(0, -1)}: ${isAccepted ? "accepted" : "refused"}.`;
}

function subjectOf({ accessToken }: Contradiction, placeOf: (number: number) => number): string {
  return accessToken === undefined ? "that" : `the access token of step ${placeOf(accessToken)}`;
}

/** @param placeOf - where in the story a step is told */
export function sentenceOf(step: Step, placeOf: (number: number) => number): string {
  switch (step.kind) {
    case "authorize": {
      const scopes = step.isNarrowed ? "`mail.read` alone of both scopes" : "both scopes";
      const resource = step.resource === "MCP" ? " for the MCP resource" : "";
      return `The ${step.human} person grants ${clientWords[step.client]} ${scopes}${resource}.`;
    }
    case "deny":
      return `The ${step.human} person declines a request of ${clientWords[step.client]}.`;
    case "restart":
      if (step.ofNode === true) return "One node of the target is killed while the others serve.";
      return step.isKill ? "The target is killed and starts again." : "The target is restarted.";
    case "wait":
      return `${durationText(step.seconds)} pass on the target's clock.`;
    case "exchange":
      return `${capital(clientWords[step.by])} exchanges the code of step ${placeOf(step.code)}.`;
    case "refresh": {
      const scope = step.isWidening ? ", and asks for both scopes" : "";
      return `${capital(clientWords[step.by])} presents the refresh token of step ${placeOf(step.tokens)}${scope}.`;
    }
    case "revoke":
      return `${capital(clientWords[step.by])} revokes the ${step.token} token of step ${placeOf(step.tokens)}.`;
    case "use":
      return `The access token of step ${placeOf(step.tokens)} is used at JMAP.`;
  }
}

/** Reads as the subject of a sentence in the plural. */
export function durationText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} days`;
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
