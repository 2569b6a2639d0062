import { type ButtonMeaning, meaningOfText } from "./buttons.ts";
import { isNarrowOption, isNarrowRadio } from "./narrow-choices.ts";
import type { Field, Form, Page } from "./page.ts";

/** An answer that is chosen first and then sent. */
export interface ChosenAnswer {
  readonly form: Form;
  readonly name: string;
  readonly value: string;
  /** What an approval of less sends, where there is one. */
  readonly narrow: string | undefined;
}

/** The form in which the answer is chosen, from radio buttons or a list, and what it sends for this one. */
export function chosenAnswer(page: Page, answer: "approve" | "deny"): ChosenAnswer | undefined {
  for (const form of page.forms) {
    for (const [name, answers] of [...radioAnswers(form), ...listAnswers(form)]) {
      const approvals = answers.filter(({ meaning }) => meaning === "approve");
      const approval = approvals.find(({ isNarrow }) => !isNarrow) ?? approvals[0];
      const denial = answers.find(({ meaning }) => meaning === "deny");
      if (approval === undefined || denial === undefined) continue;
      const narrow = answers.find((it) => it.isNarrow && it !== approval)?.value;
      return { form, name, value: (answer === "approve" ? approval : denial).value, narrow };
    }
  }
  return undefined;
}

interface Answer {
  readonly value: string;
  readonly meaning: ButtonMeaning | undefined;
  readonly isNarrow: boolean;
}

type Answers = readonly [name: string, answers: readonly Answer[]];

function answerOf(value: string, text: string, isNarrow: boolean): Answer {
  return { value, meaning: meaningOfText(text) ?? meaningOfText(value), isNarrow };
}

function radioAnswers({ fields }: Form): Answers[] {
  const radios = fields.filter(({ type }) => type === "radio");
  return [...Map.groupBy(radios, ({ name }) => name)].map(([name, group]) => [
    name,
    group.map((radio) => answerOf(radio.value, radio.hint, isNarrowRadio(radio, group))),
  ]);
}

function listAnswers({ fields }: Form): Answers[] {
  const isList = ({ type, multiple }: Field): boolean => type === "select" && !multiple;
  return fields
    .filter(isList)
    .map(({ name, options }) => [
      name,
      options.map((option) => answerOf(option.value, option.text, isNarrowOption(option, options))),
    ]);
}
