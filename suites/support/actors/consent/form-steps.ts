import type { Parameters } from "../../wire/parameters.ts";
import type { FormConsent } from "../../target/profile.ts";
import type { Field, Form, Page, SubmitButton } from "./html-page.ts";

/** What the person decides on the consent page. */
export type Decision = "approve" | "approve read-only" | "deny";

/** The next thing a person does on a page. */
export type Step =
  | {
      readonly kind: "submit";
      readonly form: Form;
      readonly button: SubmitButton | undefined;
      readonly fields: Parameters;
      readonly purpose: "sign-in" | "decision" | "continue";
    }
  /** With a form, when a redirect has it sent again. */
  | { readonly kind: "follow"; readonly href: string; readonly form?: string }
  | { readonly kind: "stuck"; readonly reason: string };

const approving = /\b(approve|allow|authori[sz]e|accept|agree|consent|grant|confirm|yes|connect)\b/iu;
const denying = /\b(deny|reject|cancel|decline|refuse|disallow|abort|no|not)\b|n['\u2019]t\b/iu;
const proceeding = /\b(continue|next|proceed|sign[ -]?in|log[ -]?in|submit|ok|go)\b/iu;
const signingIn = /\b(sign[ -]?in|log[ -]?in|continue)\b/iu;
const userNaming = /user|e-?mail|login|identifier|account ?name/iu;
const readOnly = /read[ -_]?only/iu;
const sending = /mail\.send|\bsend/iu;
const scopeLike = /scope|mail\.|permission/iu;

/** Decides what a person with these credentials and this decision does next on a page. Pure. */
export function nextStep(page: Page, person: FormConsent, decision: Decision): Step {
  const signIn = page.forms.find((form) => form.fields.some((field) => field.type === "password"));
  if (signIn !== undefined) return signInWith(signIn, person);

  const decided = decide(page, person, decision);
  if (decided !== undefined) return decided;

  const account = chosenAccount(page, person);
  if (account !== undefined) return account;

  const provider = chosenProvider(page, person);
  if (provider !== undefined) return provider;

  const identifier = page.forms.find((form) => form.fields.some(asksForUser));
  if (identifier !== undefined) return signInWith(identifier, person);

  const onward =
    page.forms.find((form) => form.buttons.some((button) => proceeding.test(button.text))) ?? onlyForm(page);
  if (onward !== undefined) {
    return {
      kind: "submit",
      form: onward,
      button: onward.buttons[0],
      fields: filled(onward),
      purpose: "continue",
    };
  }
  const link = page.links.find(({ text }) => signingIn.test(text));
  if (link !== undefined) return { kind: "follow", href: link.href };
  return {
    kind: "stuck",
    reason: `the page ${JSON.stringify(page.title || page.text.slice(0, 60))} has no form or link that the form driver recognises`,
  };
}

function signInWith(form: Form, person: FormConsent): Step {
  const user =
    form.fields.find(asksForUser) ??
    form.fields.find((field) => field.type === "text" || field.type === "email");
  const fields = filled(form).map(([name, value]) => {
    const field = form.fields.find((candidate) => candidate.name === name);
    if (field?.type === "password") return [name, person.password] as const;
    return [name, name === user?.name ? person.username : value] as const;
  });
  const button = form.buttons.find(({ text }) => !denying.test(text));
  return { kind: "submit", form, button, fields, purpose: "sign-in" };
}

function asksForUser(field: Field): boolean {
  return (
    ["text", "email"].includes(field.type) &&
    userNaming.test(`${field.name} ${field.hint}`) &&
    !/inbox/iu.test(field.name)
  );
}

function decide(page: Page, person: FormConsent, decision: Decision): Step | undefined {
  const wanted = decision === "deny" ? person.deny : person.approve;
  const choices = page.forms.flatMap((form) => form.buttons.map((button) => ({ form, button })));
  const word = (button: SubmitButton): string => `${button.text} ${button.name} ${button.value}`;
  const denies = (button: SubmitButton): boolean =>
    denying.test(button.text) || (button.text === "" && denying.test(word(button)));
  const named = choices.find(({ button }) => wanted !== undefined && button.text === wanted);
  if (decision === "deny") {
    const denial =
      named ??
      choices.find(({ button }) => denies(button)) ??
      choices.find(({ button }) => denying.test(word(button)));
    const offersApproval = choices.some(({ button }) => approving.test(button.text));
    if (denial === undefined || (named === undefined && !offersApproval)) return undefined;
    return { kind: "submit", ...denial, fields: filled(denial.form), purpose: "decision" };
  }
  const approvals = choices.filter(({ button }) => approving.test(word(button)) && !denies(button));
  const narrow = approvals.find(({ button }) => readOnly.test(button.text));
  if (decision === "approve read-only" && narrow !== undefined) {
    return { kind: "submit", ...narrow, fields: filled(narrow.form), purpose: "decision" };
  }
  const approval = named ?? approvals.find((choice) => choice !== narrow);
  if (approval === undefined) return undefined;
  if (decision === "approve")
    return { kind: "submit", ...approval, fields: withScopes(approval.form), purpose: "decision" };
  const narrowed = narrowedFields(approval.form, person);
  if (narrowed === undefined) {
    return {
      kind: "stuck",
      reason:
        "the consent page shows no way to narrow the grant that the form driver recognises; name the field in the profile's consent.read_only",
    };
  }
  return { kind: "submit", ...approval, fields: narrowed, purpose: "decision" };
}

/** What the form sends when a person leaves it as it is, with a choice made where one is required. */
function filled(form: Form): Parameters {
  return form.fields.flatMap((field): (readonly [string, string])[] => {
    if (field.type === "checkbox") return field.checked || field.required ? [[field.name, field.value]] : [];
    if (field.type === "radio")
      return chosenRadio(form, field.name) === field ? [[field.name, field.value]] : [];
    if (field.type === "select" && field.value === "") {
      return [[field.name, field.options.find(({ value }) => value !== "")?.value ?? ""]];
    }
    return [[field.name, field.value]];
  });
}

function chosenRadio(form: Form, name: string): Field | undefined {
  const group = form.fields.filter((field) => field.type === "radio" && field.name === name);
  return (
    group.find((field) => field.checked) ??
    group.find((field) => !/new|create/iu.test(field.value)) ??
    group[0]
  );
}

/** Every scope that the page offers, ticked. */
function withScopes(form: Form): Parameters {
  const offered = form.fields.filter(
    (field) => field.type === "checkbox" && isScope(field) && !field.checked && !field.required,
  );
  return [...filled(form), ...offered.map((field) => [field.name, field.value] as const)];
}

function isScope(field: Field): boolean {
  return scopeLike.test(`${field.name} ${field.value}`);
}

/** The form with sending taken out, or undefined when it offers no such choice. */
function narrowedFields(form: Form, person: FormConsent): Parameters | undefined {
  const all = withScopes(form);
  if (person.read_only !== undefined) {
    const at = person.read_only.indexOf("=");
    const [name, value] = [person.read_only.slice(0, at), person.read_only.slice(at + 1)] as const;
    return [...all.filter(([key]) => key !== name), [name, value]];
  }
  const send = form.fields.find(
    (field) => field.type === "checkbox" && sending.test(`${field.name} ${field.value}`),
  );
  if (send !== undefined) return all.filter(([name, value]) => !(name === send.name && value === send.value));
  const isNarrow = (text: string): boolean => readOnly.test(text) || /^(mail\.)?read$/iu.test(text);
  const radio = form.fields.find(
    (field) => field.type === "radio" && (isNarrow(field.value) || readOnly.test(field.hint)),
  );
  if (radio !== undefined) return [...all.filter(([name]) => name !== radio.name), [radio.name, radio.value]];
  const tick = form.fields.find(
    (field) =>
      field.type === "checkbox" &&
      (readOnly.test(`${field.name} ${field.value}`) || readOnly.test(field.hint)),
  );
  if (tick !== undefined) return [...all.filter(([name]) => name !== tick.name), [tick.name, tick.value]];
  for (const select of form.fields.filter((field) => field.type === "select")) {
    const option = select.options.find(({ value, text }) => isNarrow(value) || readOnly.test(text));
    if (option !== undefined)
      return [...all.filter(([name]) => name !== select.name), [select.name, option.value]];
  }
  return undefined;
}

function chosenProvider(page: Page, person: FormConsent): Step | undefined {
  const wanted = person.sign_in_with?.toLowerCase();
  const fits = (text: string): boolean =>
    wanted === undefined
      ? /\b(sign|log)[ -]?in (with|using|at)\b|\bcontinue (with|at)\b/iu.test(text)
      : text.toLowerCase().includes(wanted);
  const link = page.links.find(({ text }) => fits(text));
  if (link !== undefined) return { kind: "follow", href: link.href };
  for (const form of page.forms) {
    const button = form.buttons.find(({ text }) => fits(text));
    if (button !== undefined)
      return { kind: "submit", form, button, fields: filled(form), purpose: "continue" };
  }
  return undefined;
}

/** The person's own entry where a page lists accounts instead of asking for a name. */
function chosenAccount(page: Page, person: FormConsent): Step | undefined {
  const isOwn = (text: string): boolean =>
    text
      .toLowerCase()
      .split(/[^a-z0-9@._+-]+/u)
      .includes(person.username.toLowerCase());
  for (const form of page.forms) {
    const button = form.buttons.find(({ text, value }) => isOwn(text) || isOwn(value));
    if (button !== undefined)
      return { kind: "submit", form, button, fields: filled(form), purpose: "sign-in" };
    const list = form.fields.find(
      (field) =>
        field.type === "select" && field.options.some(({ value, text }) => isOwn(value) || isOwn(text)),
    );
    const option = list?.options.find(({ value, text }) => isOwn(value) || isOwn(text));
    if (list !== undefined && option !== undefined) {
      const fields = filled(form).map(
        ([name, value]) => [name, name === list.name ? option.value : value] as const,
      );
      return { kind: "submit", form, button: form.buttons[0], fields, purpose: "sign-in" };
    }
    const radio = form.fields.find(
      (field) => field.type === "radio" && (isOwn(field.value) || isOwn(field.hint)),
    );
    if (radio !== undefined) {
      const fields: Parameters = [
        ...filled(form).filter(([name]) => name !== radio.name),
        [radio.name, radio.value],
      ];
      return { kind: "submit", form, button: form.buttons[0], fields, purpose: "sign-in" };
    }
  }
  const link = page.links.find(({ text }) => isOwn(text));
  return link === undefined ? undefined : { kind: "follow", href: link.href };
}

/** A form that a script would submit at once, such as a `form_post` response. */
function onlyForm(page: Page): Form | undefined {
  const [form, ...others] = page.forms;
  return form !== undefined &&
    others.length === 0 &&
    form.fields.every((field) => field.type === "hidden") &&
    form.fields.length > 0
    ? form
    : undefined;
}
