import type { Parameters } from "../../wire/parameters.ts";
import type { FormConsent } from "../../target/consent-settings.ts";
import { meaningOf, primaryButton } from "./buttons.ts";
import { followed } from "./follow-link.ts";
import { filled, setting } from "./form-values.ts";
import type { Field, Form, Link, Page, SubmitButton } from "./page.ts";
import { isLocatedBy } from "./locator.ts";
import type { Progress, Step, Submission } from "./step.ts";
import { says } from "./words.ts";

/** Signing in where the page asks for a password. */
export function signIn(page: Page, person: FormConsent): Step | undefined {
  const { username, password } = person.fields;
  const named = page.forms.find((form) =>
    form.fields.some((field) =>
      [username, password].some((it) => it !== undefined && isLocatedBy(it, field)),
    ),
  );
  const asking = page.forms.filter((form) => form.fields.some(({ type }) => type === "password"));
  // A form to register stands beside some sign-in forms, whose password may be asked for on a page of its own.
  const own = asking.find((candidate) => !isRegistration(candidate));
  const only = page.forms.some(asksForUserAlone) ? undefined : asking[0];
  const form = named ?? own ?? only;
  return form && filledIn(form, person);
}

function asksForUserAlone(form: Form): boolean {
  return form.fields.some(asksForUser) && !form.fields.some(({ type }) => type === "password");
}

/** It asks for the password twice, or for a new one, or its buttons say that it registers. */
function isRegistration(form: Form): boolean {
  const passwords = form.fields.filter(({ type, isUnseen }) => type === "password" && !isUnseen);
  return (
    passwords.length > 1 ||
    (form.buttons.length > 0 && form.buttons.every((button) => meaningOf(button) === "leave")) ||
    passwords.some(({ element }) => element.attributes["autocomplete"] === "new-password")
  );
}

/** Giving the user name where it is asked for on a page of its own. */
export function identify(page: Page, person: FormConsent): Step | undefined {
  const form = page.forms.find(asksForUserAlone) ?? page.forms.find(({ fields }) => fields.some(asksForUser));
  return form && filledIn(form, person);
}

/** What the form sends, with the person's name and password in their places. */
export function withCredentials(
  { form, fields }: Pick<Submission, "form" | "fields">,
  person: FormConsent,
): Parameters {
  const user = userField(form, person);
  const secret = passwordField(form, person);
  return fields.map(([name, value]) => {
    if (name === secret?.name) return [name, person.password] as const;
    return [name, name === user?.name ? person.username : value] as const;
  });
}

function filledIn(form: Form, person: FormConsent): Submission {
  const fields = withCredentials({ form, fields: filled(form) }, person);
  const { sign_in: locator } = person.buttons;
  const button =
    form.buttons.find((candidate) => locator !== undefined && isLocatedBy(locator, candidate)) ??
    primaryButton(form);
  return { kind: "submit", form, button, fields, purpose: "sign-in" };
}

export function passwordField(form: Form, person: FormConsent): Field | undefined {
  const locator = person.fields.password;
  if (locator !== undefined) return form.fields.find((field) => isLocatedBy(locator, field));
  const passwords = form.fields.filter(({ type }) => type === "password");
  return passwords.find(({ isUnseen }) => !isUnseen) ?? passwords[0];
}

/** By the profile, by `autocomplete`, by what it is called, and else the field before the password. */
function userField(form: Form, person: FormConsent): Field | undefined {
  const locator = person.fields.username;
  if (locator !== undefined) return form.fields.find((field) => isLocatedBy(locator, field));
  // A field that nobody sees beside a password that everybody sees is a trap for robots.
  const isTrap = ({ isUnseen }: Field): boolean => isUnseen && !passwordField(form, person)?.isUnseen;
  const isTyped = (field: Field): boolean => ["text", "email", "tel"].includes(field.type) && !isTrap(field);
  const typed = form.fields.filter(isTyped);
  const beforePassword = form.fields.slice(
    0,
    form.fields.findIndex(({ type }) => type === "password"),
  );
  return (
    typed.find(({ element }) => /\b(?:username|email)\b/iu.test(element.attributes["autocomplete"] ?? "")) ??
    typed.find(asksForUser) ??
    beforePassword.findLast(isTyped) ??
    typed[0]
  );
}

export function asksForUser({ type, name, hint, element }: Field): boolean {
  if (type !== "text" && type !== "email") return false;
  const told = `${name} ${element.attributes["id"] ?? ""} ${hint}`;
  // A consent page may ask for the name of a new one.
  if (/inbox|mailbox|postfach/iu.test(told)) return false;
  if (says("username", told)) return true;
  // Names such as `loginfmt` and `usernameOrEmail` run words together.
  return /user|login|identifier/iu.test(name);
}

/** The way to the password, where a page offers it beside a code by e-mail and the like. */
export function byPassword(page: Page): Step | undefined {
  const link = page.links.find(({ text }) => says("byPassword", text));
  if (link !== undefined) return followed(link, { purpose: "continue" });
  for (const form of page.forms) {
    const button = form.buttons.find(({ text, value }) => says("byPassword", text) || value === "password");
    if (button !== undefined)
      return { kind: "submit", form, button, fields: filled(form), purpose: "continue" };
  }
  return undefined;
}

/** The way to the identity provider that the profile names, or to the only one that is offered. */
export function chosenProvider(
  page: Page,
  person: FormConsent,
  { hasChosenProvider }: Progress,
): Step | undefined {
  const wanted = person.sign_in_with?.toLowerCase();
  if (wanted !== undefined && hasChosenProvider) return undefined;
  const fits = (it: Link | SubmitButton): boolean =>
    wanted === undefined
      ? says("signInWith", it.text)
      : it.text.toLowerCase().includes(wanted) || isLocatedBy(wanted, it);
  const link = page.links.find(fits);
  if (link !== undefined) return followed(link, { purpose: "continue", choosesProvider: true });
  for (const form of page.forms) {
    const button = form.buttons.find(fits);
    if (button !== undefined)
      return {
        kind: "submit",
        form,
        button,
        fields: filled(form),
        purpose: "continue",
        choosesProvider: true,
      };
  }
  return undefined;
}

/** The person's own entry where a page lists accounts instead of asking for a name. */
export function chosenAccount(page: Page, person: FormConsent): Step | undefined {
  const username = person.username.toLowerCase();
  const isOwn = (text: string): boolean =>
    // "Not alice?" leads to another account.
    !text.includes("?") &&
    !says("notMe", text) &&
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}@._+-]+/u)
      .includes(username);
  for (const form of page.forms) {
    const submit = (button: SubmitButton | undefined, fields: Parameters): Step => ({
      kind: "submit",
      form,
      button,
      fields,
      purpose: "sign-in",
    });
    const own = form.buttons.find(({ text, value }) => isOwn(text) || isOwn(value));
    if (own !== undefined) return submit(own, filled(form));
    for (const field of form.fields.filter(({ type }) => type === "select")) {
      const option = field.options.find(({ value, text }) => isOwn(value) || isOwn(text));
      if (option !== undefined)
        return submit(primaryButton(form), setting(filled(form), field.name, option.value));
    }
    const radio = form.fields.find(
      ({ type, value, hint }) => type === "radio" && (isOwn(value) || isOwn(hint)),
    );
    if (radio !== undefined)
      return submit(primaryButton(form), setting(filled(form), radio.name, radio.value));
  }
  const link = page.links.find(({ text }) => isOwn(text));
  return link && followed(link, { purpose: "sign-in" });
}
