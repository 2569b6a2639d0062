import { meaningOf } from "./buttons.ts";
import { isScope } from "./scope-fields.ts";
import type { Form, Page } from "./page.ts";
import { asksForUser } from "./sign-in-page.ts";
import { says } from "./words.ts";

/** A page without the forms that stand beside what it asks: a cookie notice, a search, a choice of language, a newsletter, a way out. */
export function withoutAsides(page: Page): Page {
  const asking = page.forms.filter((form) => !isAside(form));
  const isAnswer = ({ buttons }: Form): boolean => buttons.some((button) => meaningOf(button) === "approve");
  const others = asking.filter((form) => !isBlanket(form));
  return { ...page, forms: others.some(isAnswer) ? others : asking };
}

/** "Accept all" and "Reject all", with nothing to choose from: beside another question these are about cookies. */
function isBlanket({ fields, buttons }: Form): boolean {
  const meanings = buttons.map(meaningOf);
  return (
    fields.every(({ type }) => type === "hidden") &&
    buttons.every(({ text }) => says("everything", text)) &&
    meanings.includes("approve") &&
    meanings.includes("deny")
  );
}

function isAside({ element, action, fields, buttons }: Form): boolean {
  if (fields.some((field) => field.type === "password" || isScope(field))) return false;
  const pressed = buttons.map((button) => `${button.text} ${button.name} ${button.value}`);
  // Asks for an email address, as a sign-in does.
  if (pressed.length > 0 && pressed.every((text) => says("newsletter", text))) return true;
  if (fields.some((field) => asksForUser(field))) return false;
  if (element.attributes["role"] === "search" || fields.some(({ type }) => type === "search")) return true;
  const { id = "", class: className = "", name = "" } = element.attributes;
  const [path = ""] = action.split("?", 1);
  const visible = fields.filter(({ type }) => type !== "hidden");
  if (visible.length > 0 && visible.every((field) => says("language", field.name))) return true;
  if (says("cookies", [id, className, name, path, ...pressed].join(" "))) return true;
  return (
    buttons.length > 0 && buttons.every((button) => ["leave", "notMe"].includes(meaningOf(button) ?? ""))
  );
}
