import type { Topic } from "../support/target/notes.ts";
import { type Action, type Grant, grantOf, type State } from "./grants.ts";

/** A question that the document leaves open, as a history has put it to the target, and what the target did. */
export interface Choice {
  readonly question: string;
  readonly outcome: string;
}

export const choices: Topic<Choice> = { name: "choices of the target" };

/** What an answer shows of a choice; undefined when the document decides it, or more than one open question does. */
export function choiceShown(state: State, step: Action, isAccepted: boolean): Choice | undefined {
  const number = grantOf(state, step);
  const grant = number === undefined ? undefined : state.get(number);
  if (grant === undefined) return undefined;
  if (step.kind === "exchange") return choiceOfCode(grant, step.by, isAccepted);
  if (step.kind !== "refresh" || grant.generations.at(-1) !== step.tokens || step.by !== grant.client)
    return undefined;
  const { fate, newest } = grant;
  if (fate.kind === "active" && newest === "usable" && step.isWidening)
    return {
      question: `a refresh of a ${grant.isNarrowed ? "narrowed" : "whole"} grant that names both scopes`,
      outcome: isAccepted ? "is accepted" : "is refused",
    };
  if (fate.kind !== "unknown" || step.isWidening || isUnclear(fate.since)) return undefined;
  return { question: `a grant ${fate.since}`, outcome: isAccepted ? "lives" : "has ended" };
}

function choiceOfCode(
  { client, code, codeAge, fate }: Grant,
  by: Grant["client"],
  isAccepted: boolean,
): Choice | undefined {
  if (code !== "unknown" || by !== client || codeAge > 0 || fate.kind !== "active") return undefined;
  return {
    question: "a code that another client presented",
    outcome: isAccepted ? "can still be redeemed" : "is used up",
  };
}

function isUnclear(since: string): boolean {
  return since === "that a race has left open" || since === "that several open questions are about";
}

export const olderAccessToken = "an access token whose grant was refreshed since";

/** How each question was answered, one line a question. Whether always alike is no matter of the document. */
export function choicesText(seen: readonly Choice[]): string {
  const questions = [...new Set(seen.map(({ question }) => question))].toSorted();
  if (questions.length === 0) return "none of the open questions came up";
  return questions
    .map((question) => {
      const outcomes = seen.filter((choice) => choice.question === question).map(({ outcome }) => outcome);
      const counts = [...new Set(outcomes)]
        .toSorted()
        .map((outcome) => `${outcome} (${outcomes.filter((other) => other === outcome).length})`);
      return `${question}: ${counts.join(", ")}`;
    })
    .join("; ");
}
