import { randomBytes } from "node:crypto";
import type { FormConsent } from "../../target/profile.ts";
import type { Parameters } from "../../wire/parameters.ts";
import type { Field, Form } from "./page.ts";
import { says } from "./words.ts";

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
    if (field.value !== "") return [value];
    return [[field.name, field.options.find((option) => option.value !== "")?.value ?? ""]];
  });
}

/** Pages rarely mark the check box below their terms as required. */
function isRequired(field: Field): boolean {
  return field.required || (!isScope(field) && says("terms", `${field.name} ${field.hint}`));
}

/** Of each group the one that is chosen already, else one that creates nothing. */
function chosenRadios(form: Form): ReadonlySet<Field | undefined> {
  const radios = form.fields.filter(({ type }) => type === "radio");
  const groups = [...Map.groupBy(radios, ({ name }) => name).values()];
  return new Set(
    groups.map(
      (group) =>
        group.find(({ checked }) => checked) ??
        group.find(({ value }) => !/new|create/iu.test(value)) ??
        group[0],
    ),
  );
}

/** The form with fields of that name sent once, with this value. */
export function setting(fields: Parameters, name: string, value: string): Parameters {
  return [...fields.filter(([key]) => key !== name), [name, value]];
}

/** Every scope that the form offers, chosen. */
export function withScopes(form: Form): Parameters {
  const scopes = form.fields.filter(isScope);
  const offered = scopes.flatMap((field): Value[] => {
    if (field.type === "checkbox" && !field.checked && !field.required) return [[field.name, field.value]];
    if (field.type !== "select" || !field.multiple) return [];
    return field.options.filter(({ selected }) => !selected).map((option) => [field.name, option.value]);
  });
  return [...filled(form), ...offered];
}

/** The form with a new inbox chosen and named; undefined when it has no such field. */
export function withNewInbox(form: Form, newInbox: FormConsent["new_inbox"]): Parameters | undefined {
  if (newInbox === undefined) return undefined;
  const at = newInbox.choose.indexOf("=");
  const [chooser, choice] = [newInbox.choose.slice(0, at), newInbox.choose.slice(at + 1)];
  if (!form.fields.some(({ name }) => name === chooser)) return undefined;
  const chosen = setting(withScopes(form), chooser, choice);
  return newInbox.name === undefined
    ? chosen
    : setting(chosen, newInbox.name, `mailproof-${randomBytes(5).toString("hex")}`);
}

/** No scope chosen, however the page offers them. */
export function withoutScopes(form: Form): Parameters {
  const scopes = new Set(form.fields.filter(isScope).map(({ name }) => name));
  return filled(form).filter(([name]) => !scopes.has(name));
}

/** A field that is about what the client may do. */
export function isScope({ type, name, value, options, element }: Field): boolean {
  const told = [name, value, element.attributes["id"] ?? "", ...options.map((option) => option.value)];
  return type !== "hidden" && /scope|mail\.|permission/iu.test(told.join(" "));
}

/**
 * The form with sending taken out, or undefined when it offers no such choice.
 *
 * @param readOnly - `name=value` of the field that narrows, where the profile names it
 */
export function narrowedFields(form: Form, readOnly: string | undefined): Parameters | undefined {
  const all = withScopes(form);
  if (readOnly !== undefined) {
    const at = readOnly.indexOf("=");
    return setting(all, readOnly.slice(0, at), readOnly.slice(at + 1));
  }
  const dropping = (name: string, value: string): Parameters =>
    all.filter(([key, sent]) => !(key === name && sent === value));
  const checkBoxes = form.fields.filter(({ type }) => type === "checkbox");
  const sending = checkBoxes.find(isSending) ?? checkBoxes.find(({ hint }) => says("send", hint));
  if (sending !== undefined) return dropping(sending.name, sending.value);
  const lists = form.fields.filter(({ type }) => type === "select");
  for (const list of lists.filter(({ multiple }) => multiple)) {
    const option = list.options.find(({ value, text }) => /mail\.send/iu.test(value) || says("send", text));
    if (option !== undefined) return dropping(list.name, option.value);
  }
  const narrow =
    form.fields.find(
      ({ type, value, hint }) => type === "radio" && (isNarrow(value) || says("readOnly", hint)),
    ) ?? checkBoxes.find(({ name, value, hint }) => says("readOnly", `${name} ${value} ${hint}`));
  if (narrow !== undefined) return setting(all, narrow.name, narrow.value);
  for (const list of lists) {
    const option = list.options.find(({ value, text }) => isNarrow(value) || says("readOnly", text));
    if (option !== undefined) return setting(all, list.name, option.value);
  }
  return undefined;
}

function isSending({ name, value }: Field): boolean {
  return /mail\.send/iu.test(`${name} ${value}`) || says("send", `${name} ${value}`);
}

function isNarrow(text: string): boolean {
  return says("readOnly", text) || /^(?:mail\.)?read$/iu.test(text);
}
