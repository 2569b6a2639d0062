import { affirmative, choicesOn } from "./buttons.ts";
import { followed } from "./follow-link.ts";
import { filled } from "./form-values.ts";
import { isChoice, isScope } from "./scope-fields.ts";
import type { Field, Page } from "./page.ts";
import type { Step } from "./step.ts";
import { says } from "./words.ts";

/**
 * A page that asks for something optional, such as a telephone number, and offers to leave it. "Not now" below a question
 * about the client would be the decision: it is taken for this only where something is to be typed in, and nothing to be
 * chosen, or where the heading offers a better protection of the account.
 */
export function skipBeside(page: Page): Step | undefined {
  const fields = page.forms.flatMap((form) => form.fields);
  const isKnownPassword = ({ type, element }: Field): boolean =>
    type === "password" && element.attributes["autocomplete"] !== "new-password";
  if (fields.some((field) => isScope(field) || isKnownPassword(field))) return undefined;
  const choices = choicesOn(page);
  const grants = choices.some(({ button }) => says("grant", button.text));
  const isOffer = says("offer", `${page.title} ${page.headings}`) && !grants;
  if (!isOffer && choices.some(({ meaning }) => meaning === "approve")) return undefined;
  const isTypedAlone = fields.some(isTyped) && !fields.some(isChoice);
  const skips = (text: string): boolean =>
    says("skip", text) || ((isTypedAlone || isOffer) && says("later", text));
  const choice = choices.find(({ button }) => skips(button.text));
  if (choice !== undefined)
    return { kind: "submit", ...choice, fields: filled(choice.form), purpose: "continue" };
  // "Skip to content" stands on many pages, and leads to a place on the page itself.
  const link = page.links.find(({ href, text }) => !href.includes("#") && skips(text));
  return link && (isOffer || affirmative(choices) !== undefined)
    ? followed(link, { purpose: "continue" })
    : undefined;
}

function isTyped({ type }: Field): boolean {
  return ["text", "tel", "email", "number"].includes(type);
}
