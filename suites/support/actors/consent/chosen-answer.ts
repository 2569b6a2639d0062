import { type ButtonMeaning, meaningOfText } from "./buttons.ts";
import { isNarrowOption, isNarrowRadio, isWide } from "./narrow-choices.ts";
import type { Field, Form, Page } from "./page.ts";
import { says } from "./words.ts";

/** An answer that is chosen first and then sent, in one field or for each scope in a field of its own. */
export interface ChosenAnswer {
  readonly form: Form;
  readonly chosen: readonly {
    readonly name: string;
    readonly value: string;
    /** What an approval of less sends, where there is one. */
    readonly narrow: string | undefined;
  }[];
}

/** The form in which the answer is chosen, from radio buttons or lists, and what it sends for this one. */
export function chosenAnswer(page: Page, answer: "approve" | "deny"): ChosenAnswer | undefined {
  for (const form of page.forms) {
    const chosen = [...radioAnswers(form), ...listAnswers(form)].flatMap(([name, answers]) => {
      const approval = approvalOf(answers);
      const denial = answers.find(({ meaning }) => meaning === "deny");
      if (approval === undefined || denial === undefined) return [];
      const narrow = answers.find((it) => it.isNarrow && it !== approval)?.value;
      return [{ name, value: (answer === "approve" ? approval : denial).value, narrow }];
    });
    if (chosen.length > 0) return { form, chosen };
  }
  return undefined;
}

/** One that says so, else what is left beside a narrow one: "Full access" beside "Read only" and "No access". */
function approvalOf(answers: readonly Answer[]): Answer | undefined {
  const approvals = answers.filter(({ meaning }) => meaning === "approve");
  const beside = answers.some(({ isNarrow }) => isNarrow)
    ? answers.findLast(({ meaning, isNarrow }) => meaning !== "deny" && !isNarrow)
    : undefined;
  return approvals.find(({ isNarrow }) => !isNarrow) ?? beside ?? approvals[0];
}

interface Answer {
  readonly value: string;
  readonly meaning: ButtonMeaning | undefined;
  readonly isNarrow: boolean;
}

type Answers = readonly [name: string, answers: readonly Answer[]];

function answerOf(value: string, text: string, isNarrow: boolean): Answer {
  const isNone = says("without", text) && !isNarrow && !isWide(text);
  const meaning = meaningOfText(text) ?? (isNone ? "deny" : meaningOfText(value));
  return { value, meaning, isNarrow };
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
    .map((list) => [
      list.name,
      list.options.map((option) => answerOf(option.value, option.text, isNarrowOption(option, list))),
    ]);
}
