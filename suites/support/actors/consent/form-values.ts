import { randomBytes } from "node:crypto";
import type { FormConsent } from "../../target/consent-settings.ts";
import type { Parameters } from "../../wire/parameters.ts";
import { isNarrowOption, isNarrowRadio, isReadOnly, isWideOption } from "./narrow-choices.ts";
import type { Field, Form, Option, SubmitButton } from "./page.ts";
import { refusesSending, says } from "./words.ts";

type Value = readonly [name: string, value: string];

/** What the form sends when a person leaves it as it is, with a choice made where one is required. */
export function filled(form: Form): Parameters {
  const chosen = chosenRadios(form);
  return form.fields.flatMap((field): Value[] => {
    const value: Value = [field.name, field.value];
    if (field.type === "checkbox") return field.checked || isRequired(field) ? [value] : [];
    if (field.type === "radio") return chosen.has(field) ? [value] : [];
    if (field.type !== "select") return [value];
    if (field.multiple)
      return field.options.filter(({ selected }) => selected).map((option) => [field.name, option.value]);
    return [[field.name, chosenOption(field)]];
  });
}

/** The option that is chosen already, else the first; one that creates nothing, where there is one. */
function chosenOption({ value, options }: Field): string {
  const real = options.filter((option) => option.value !== "");
  const proposed = real.find((option) => option.value === value);
  if (proposed !== undefined && !createsAnew(proposed.value, proposed.text)) return value;
  const existing = real.find((option) => !createsAnew(option.value, option.text));
  return (existing ?? proposed ?? real[0])?.value ?? value;
}

/** Pages rarely mark the check box below their terms as required. */
function isRequired(field: Field): boolean {
  return field.required || (!isScope(field) && says("terms", `${field.name} ${field.hint}`));
}

/** Of each group the one that is chosen already, else the first; one that creates nothing, where there is one. */
function chosenRadios(form: Form): ReadonlySet<Field | undefined> {
  const radios = form.fields.filter(({ type }) => type === "radio");
  const groups = [...Map.groupBy(radios, ({ name }) => name).values()];
  const creates = ({ value, hint }: Field): boolean => createsAnew(value, hint);
  return new Set(
    groups.map((group) => {
      const proposed = group.find(({ checked }) => checked);
      if (proposed !== undefined && !creates(proposed)) return proposed;
      return group.find((radio) => !creates(radio)) ?? proposed ?? group[0];
    }),
  );
}

/** A page may propose a new inbox beside those that are there. */
function createsAnew(value: string, text: string): boolean {
  return says("create", value) || says("create", text);
}

/** The form with fields of that name sent once, with this value. */
export function setting(fields: Parameters, name: string, value: string): Parameters {
  return [...fields.filter(([key]) => key !== name), [name, value]];
}

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
  const first = inboxes.find(({ value, hint }) => !createsAnew(value, hint));
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

function without(fields: Parameters, name: string, value: string): Parameters {
  return fields.filter(([key, sent]) => !(key === name && sent === value));
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

/** A control with which a person chooses one of several values. */
export function isChoice({ type }: Field): boolean {
  return type === "radio" || type === "select";
}

/** A field that is about what the client may do. */
export function isScope({ type, name, value, options, element }: Field): boolean {
  const told = [name, value, element.attributes["id"] ?? "", ...options.map((option) => option.value)];
  return type !== "hidden" && /scope|mail\.|permission/iu.test(told.join(" "));
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

/** A check box that takes sending away when it is ticked. */
function isRefusal({ type, name, value, hint }: Field): boolean {
  return type === "checkbox" && [name, value, hint].some(refusesSending);
}

/** A check box that restricts the grant to reading when it is ticked, and grants nothing itself. */
function isRestriction(field: Field): boolean {
  return !isScope(field) && saysReadOnly(field);
}

function saysReadOnly({ type, name, value, hint }: Field): boolean {
  return type === "checkbox" && (isReadOnly(`${name} ${value}`) || isReadOnly(hint)) && !says("terms", hint);
}

/** A check box for reading or sending whose name does not speak of scopes. */
function offersMail(field: Field): boolean {
  const told = `${field.name} ${field.value} ${field.hint}`;
  const isAboutMail = says("send", told) || says("read", told);
  return field.type === "checkbox" && isAboutMail && !isForService(told) && !says("terms", told);
}

/** What a service sends to its customers, or learns of them. */
function isForService(text: string): boolean {
  return /news|updates?\b|tips|offers|diagnos|statistic|crash|usage|\b(?:send|e-?mail|tell|notify|remind) me\b/iu.test(
    text,
  );
}

function isSendingBox(field: Field): boolean {
  const { name, value, hint } = field;
  if (/mail\.send/iu.test(`${name} ${value}`)) return true;
  if (isForService(`${name} ${value} ${hint}`)) return false;
  const isNamedReading = says("read", `${name} ${value}`);
  return isSending(field) || (says("send", hint) && !refusesSending(hint) && !isNamedReading);
}

/** Of the radio buttons for one scope, the one that takes it away. */
function isDeclined(field: Field): boolean {
  return field.type === "radio" && isNo(field.value, field.hint) && isAboutScope(field);
}

/** The same of a list. */
function isDeclinedOption({ value, text }: Option, list: Field): boolean {
  return isNo(value, text) && isAboutScope(list);
}

function isNo(value: string, text: string): boolean {
  return /^(?:false|no|off|0|deny|denied|none|block|blocked)$/iu.test(value) || says("deny", text);
}

function isAboutScope(field: Field): boolean {
  return isScope(field) || asksAboutSending(field.name) || says("read", field.name);
}

export function asksAboutSending(name: string): boolean {
  return /mail\.send/iu.test(name) || says("send", name);
}

function isSending({ name, value }: Field): boolean {
  return asksAboutSending(`${name} ${value}`);
}
