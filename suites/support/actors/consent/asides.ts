import { meaningOf } from "./buttons.ts";
import { isScope } from "./form-values.ts";
import type { Form, Page } from "./page.ts";
import { asksForUser } from "./sign-in-page.ts";
import { says } from "./words.ts";

/** A page without the forms that stand beside what it asks: a cookie notice, a search, a choice of language, a newsletter. */
export function withoutAsides(page: Page): Page {
  return { ...page, forms: page.forms.filter((form) => !isAside(form)) };
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
  return buttons.length > 0 && buttons.every((button) => meaningOf(button) === "leave");
}
