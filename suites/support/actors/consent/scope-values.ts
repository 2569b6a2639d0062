import { randomBytes } from "node:crypto";
import type { FormConsent } from "../../target/consent-settings.ts";
import type { Parameters } from "../../wire/parameters.ts";
import { createsInbox, filled, setting, type Value, without } from "./form-values.ts";
import { isNarrowOption, isNarrowRadio, isWideOption } from "./narrow-choices.ts";
import type { Field, Form, Option, SubmitButton } from "./page.ts";
import {
  asksAboutSending,
  isDeclined,
  isDeclinedOption,
  isRefusal,
  isRestriction,
  isScope,
  isSending,
  isSendingBox,
  offersMail,
  saysReadOnly,
} from "./scope-fields.ts";
import { says } from "./words.ts";

/** Every scope that the form offers, chosen, whatever the page proposes. */
export function withScopes(form: Form): Parameters {
  const offering = form.fields.filter(
    (field) => !isRefusal(field) && !isRestriction(field) && (isScope(field) || offersMail(field)),
  );
  const offered = offering.flatMap((field): Value[] => {
    if (field.type === "checkbox" && !field.checked && !field.required) return [[field.name, field.value]];
    if (field.type !== "select" || !field.multiple) return [];
    return field.options.filter(({ selected }) => !selected).map((option) => [field.name, option.value]);
  });
  return [...widened(form), ...offered, ...firstInbox(form)];
}

/** Of check boxes for inboxes of which none is ticked, the first. */
function firstInbox({ fields }: Form): Value[] {
  const inboxes = fields.filter(({ type, name }) => type === "checkbox" && says("inbox", name));
  const first = inboxes.find(({ value, hint }) => !createsInbox(value, hint));
  if (first === undefined || inboxes.some(({ checked, required }) => checked || required)) return [];
  return isScope(first) || offersMail(first) ? [] : [[first.name, first.value]];
}

/** The form as it is, but for what it proposes to withhold. */
function widened(form: Form): Parameters {
  let fields = filled(form);
  for (const field of form.fields)
    if (isRefusal(field) || isRestriction(field)) fields = without(fields, field.name, field.value);
  for (const field of form.fields) {
    const isSent = fields.some(([name, value]) => name === field.name && value === field.value);
    if (!isSent) continue;
    const group = radiosBeside(form, field);
    if (field.type === "radio" && (isNarrowRadio(field, group) || isDeclined(field))) {
      const wider = group.find((other) => !isNarrowRadio(other, group) && !isDeclined(other));
      if (wider !== undefined) fields = setting(fields, wider.name, wider.value);
    }
    if (field.type === "select" && !field.multiple) {
      const proposed = field.options.find(({ value }) => value === field.value);
      const isLess = (option: Option): boolean =>
        isNarrowOption(option, field) || isDeclinedOption(option, field);
      const wider =
        field.options.find((option) => isWideOption(option, field)) ??
        field.options.find((option) => option.value !== "" && !isLess(option));
      const isProposedLess =
        proposed !== undefined &&
        (isLess(proposed) ||
          (wider !== undefined && isWideOption(wider, field) && !isWideOption(proposed, field)));
      if (wider !== undefined && isProposedLess) fields = setting(fields, field.name, wider.value);
    }
  }
  return fields;
}

function radiosBeside({ fields }: Form, { name }: Field): readonly Field[] {
  return fields.filter((other) => other.type === "radio" && other.name === name);
}

/** What a form sends to create an inbox. */
interface NewInbox {
  readonly fields: Parameters;
  /** Where a button of its own creates it. */
  readonly button?: SubmitButton;
}

/** The form with a new inbox chosen and named; undefined when it has no such choice. */
export function withNewInbox(form: Form, newInbox: FormConsent["new_inbox"]): NewInbox | undefined {
  if (newInbox === undefined) return undefined;
  const [chooser, choice] = namedChoice(newInbox.choose);
  const button = form.buttons.find(({ name, value }) => name === chooser && value === choice);
  if (button === undefined && !form.fields.some(({ name }) => name === chooser)) return undefined;
  const fields = withScopes(form);
  const chosen = button === undefined ? setting(fields, chooser, choice) : fields;
  const named =
    newInbox.name === undefined
      ? chosen
      : setting(chosen, newInbox.name, `mailproof-${randomBytes(5).toString("hex")}`);
  return button === undefined ? { fields: named } : { fields: named, button };
}

/** No scope chosen, however the page offers them. */
export function withoutScopes(form: Form): Parameters {
  const scopes = new Set(form.fields.filter(isScope).map(({ name }) => name));
  return filled(form).filter(([name]) => !scopes.has(name));
}

/** The button that narrows, where `readOnly` of the profile names one. */
export function narrowingButton(
  form: Form,
  readOnly: string | undefined,
): Form["buttons"][number] | undefined {
  if (readOnly === undefined) return undefined;
  const [name, value] = namedChoice(readOnly);
  return form.buttons.find((button) => button.name === name && button.value === value);
}

/**
 * The form with sending taken out, or undefined when it offers no such choice.
 *
 * @param readOnly - `name=value` of the field that narrows, where the profile names it: a page without it, as of a request for
 *   one scope, lets nobody narrow
 */
export function narrowedFields(form: Form, readOnly: string | undefined): Parameters | undefined {
  const all = withScopes(form);
  if (readOnly !== undefined) {
    const [name, value] = namedChoice(readOnly);
    return isOffered(form, name, value) ? setting(all, name, value) : undefined;
  }
  const checkBoxes = form.fields.filter(({ type }) => type === "checkbox");
  const refusal = checkBoxes.find(isRefusal);
  if (refusal !== undefined) return [...all, [refusal.name, refusal.value]];
  // Leaving out a box that is not ticked withholds nothing.
  const ticked = checkBoxes.filter((box) =>
    all.some(([name, value]) => name === box.name && value === box.value),
  );
  const sending = ticked.filter(isSendingBox);
  if (sending.some(({ required }) => required)) return undefined;
  const withheld = [...sending, ...ticked.filter(({ name, hint }) => says("selectAll", `${name}. ${hint}`))];
  if (sending.length > 0) return withheld.reduce((sent, { name, value }) => without(sent, name, value), all);
  const lists = form.fields.filter(({ type }) => type === "select");
  for (const list of lists.filter(({ multiple }) => multiple)) {
    const options = list.options.filter(
      ({ value, text }) => /mail\.send/iu.test(value) || says("send", text),
    );
    if (options.length > 0) return options.reduce((sent, { value }) => without(sent, list.name, value), all);
  }
  const narrowed = [...narrowRadios(form), ...lists.flatMap(narrowOptions)];
  if (narrowed.length > 0) return narrowed.reduce((sent, [name, value]) => setting(sent, name, value), all);
  const restriction = checkBoxes.find(saysReadOnly);
  return restriction && setting(all, restriction.name, restriction.value);
}

/** Of each group, the radio button that withholds sending. */
function narrowRadios(form: Form): Value[] {
  const groups = Map.groupBy(
    form.fields.filter(({ type }) => type === "radio"),
    ({ name }) => name,
  );
  return [...groups.values()].flatMap((group) => {
    const narrow =
      group.find((radio) => isNarrowRadio(radio, group)) ??
      group.find((radio) => isDeclined(radio) && isSending(radio));
    return narrow === undefined ? [] : [[narrow.name, narrow.value] as const];
  });
}

/** The option of a list that withholds sending. */
function narrowOptions(list: Field): Value[] {
  const narrow =
    list.options.find((option) => isNarrowOption(option, list)) ??
    list.options.find((option) => isDeclinedOption(option, list) && asksAboutSending(list.name));
  return narrow === undefined ? [] : [[list.name, narrow.value]];
}

/** @param choice - `name=value` of the profile */
function namedChoice(choice: string): [name: string, value: string] {
  const at = choice.indexOf("=");
  return [choice.slice(0, at), choice.slice(at + 1)];
}

/** Whether a page lets a person give the field this value: of several to choose from, it must be one. */
function isOffered(form: Form, name: string, value: string): boolean {
  const fields = form.fields.filter((field) => field.name === name);
  return fields.some(({ type, value: own, options }) => {
    if (type === "select") return options.some((option) => option.value === value);
    return type !== "radio" || own === value;
  });
}
