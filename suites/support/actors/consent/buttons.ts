import type { Form, Link, Page, SubmitButton } from "./page.ts";
import { type Meaning, says } from "./words.ts";

// What a text denies, it does not allow: "Do not allow". "Go back" does not go on.
const meanings = ["notMe", "deny", "approve", "back", "proceed", "leave"] as const satisfies Meaning[];

export type ButtonMeaning = (typeof meanings)[number];

/** What a button is for: by its text, and in a language that is not known here by its names in the markup. */
export function meaningOf({
  text,
  name,
  value,
  overrides,
  element,
}: SubmitButton): ButtonMeaning | undefined {
  const markup = [value, element.attributes["id"], overrides.action, name].filter((it) => it !== undefined);
  const [first, ...others] = [text, ...markup].map(meaningOfText).filter((meaning) => meaning !== undefined);
  // "Back to the app" says where it leads; what it sends says that it denies.
  return first === "back" && others.includes("deny") ? "deny" : first;
}

export function meaningOfText(text: string): ButtonMeaning | undefined {
  return meanings.find((meaning) => says(meaning, text));
}

/** A link has nothing but its text. A question such as "Not you?" offers another way, and answers nothing. */
export function meaningOfLink({ text }: Link): ButtonMeaning | undefined {
  return text.includes("?") ? "notMe" : meaningOfText(text);
}

export interface Choice {
  readonly form: Form;
  readonly button: SubmitButton;
  readonly meaning: ButtonMeaning | undefined;
}

/** The buttons of a page, without those that lead away from what it asks. */
export function choicesOn(page: Page): Choice[] {
  return page.forms
    .flatMap((form) => form.buttons.map((button) => ({ form, button, meaning: meaningOf(button) })))
    .filter(({ meaning }) => meaning !== "notMe" && meaning !== "leave");
}

/** The button with which a form goes on: by its meaning, else the first that does not mean something else. */
export function primaryButton(form: Form): SubmitButton | undefined {
  const meant = form.buttons.map((button) => ({ button, meaning: meaningOf(button) }));
  const onward = meant
    .filter(({ meaning }) => meaning === "proceed" || meaning === "approve")
    .map(({ button }) => button);
  return (
    // "Sign in with Acme" stands above "Sign in" in some forms; "Sign in with password" is the form's own.
    // "Continue without password" is another way.
    onward.find(({ text }) => !says("signInWith", text) && !says("without", text)) ??
    onward.find(({ value }) => value === "password") ??
    onward[0] ??
    meant.find(({ meaning }) => meaning === undefined)?.button
  );
}

/** The button of a page that agrees: one that says so, else the only one that is left beside a denial. */
export function affirmative(choices: readonly Choice[]): Choice | undefined {
  const approval = choices.find(({ meaning }) => meaning === "approve");
  if (approval !== undefined) return approval;
  const others = choices.filter(({ meaning }) => meaning !== "deny" && meaning !== "back");
  return others.find(({ meaning }) => meaning === "proceed") ?? (others.length === 1 ? others[0] : undefined);
}

/** The button of a page that refuses: one that says so, else the only one that is left beside an approval, "Back" at last. */
export function negative(choices: readonly Choice[]): Choice | undefined {
  const denial = choices.find(({ meaning }) => meaning === "deny");
  if (denial !== undefined) return denial;
  if (!choices.some(({ meaning }) => meaning === "approve")) return undefined;
  const meaningless = choices.filter(({ meaning }) => meaning === undefined);
  const others = meaningless.length > 0 ? meaningless : choices.filter(({ meaning }) => meaning === "back");
  return others.length === 1 ? others[0] : undefined;
}
