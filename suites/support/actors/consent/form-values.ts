import type { Parameters } from "../../wire/parameters.ts";
import type { Field, Form } from "./page.ts";
import { isScope } from "./scope-fields.ts";
import { says } from "./words.ts";

export type Value = readonly [name: string, value: string];

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
  if (proposed !== undefined && !createsInbox(proposed.value, proposed.text)) return value;
  const existing = real.find((option) => !createsInbox(option.value, option.text));
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
  const creates = ({ value, hint }: Field): boolean => createsInbox(value, hint);
  return new Set(
    groups.map((group) => {
      const proposed = group.find(({ checked }) => checked);
      if (proposed !== undefined && !creates(proposed)) return proposed;
      return group.find((radio) => !creates(radio)) ?? proposed ?? group[0];
    }),
  );
}

/** A page may propose a new inbox beside those that are there. */
export function createsInbox(value: string, text: string): boolean {
  return says("create", value) || says("create", text);
}

/** The form with fields of that name sent once, with this value. */
export function setting(fields: Parameters, name: string, value: string): Parameters {
  return [...fields.filter(([key]) => key !== name), [name, value]];
}

/** The form without this value of that name. */
export function without(fields: Parameters, name: string, value: string): Parameters {
  return fields.filter(([key, sent]) => !(key === name && sent === value));
}
