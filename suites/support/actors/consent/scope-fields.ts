import { isReadOnly } from "./narrow-choices.ts";
import type { Field, Option } from "./page.ts";
import { refusesSending, says } from "./words.ts";

// What the fields of a consent page are about.

/** A field that is about what the client may do. */
export function isScope({ type, name, value, options, element }: Field): boolean {
  const told = [name, value, element.attributes["id"] ?? "", ...options.map((option) => option.value)];
  return type !== "hidden" && /scope|mail\.|permission/iu.test(told.join(" "));
}

/** A control with which a person chooses one of several values. */
export function isChoice({ type }: Field): boolean {
  return type === "radio" || type === "select";
}

/** A check box that takes sending away when it is ticked. */
export function isRefusal({ type, name, value, hint }: Field): boolean {
  return type === "checkbox" && [name, value, hint].some(refusesSending);
}

/** A check box that restricts the grant to reading when it is ticked, and grants nothing itself. */
export function isRestriction(field: Field): boolean {
  return !isScope(field) && saysReadOnly(field);
}

/** A check box whose words restrict to reading. */
export function saysReadOnly({ type, name, value, hint }: Field): boolean {
  return type === "checkbox" && (isReadOnly(`${name} ${value}`) || isReadOnly(hint)) && !says("terms", hint);
}

/** A check box for reading or sending whose name does not speak of scopes. */
export function offersMail(field: Field): boolean {
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

/** A check box that lets the client send. */
export function isSendingBox(field: Field): boolean {
  const { name, value, hint } = field;
  if (/mail\.send/iu.test(`${name} ${value}`)) return true;
  if (isForService(`${name} ${value} ${hint}`)) return false;
  const isNamedReading = says("read", `${name} ${value}`);
  return isSending(field) || (says("send", hint) && !refusesSending(hint) && !isNamedReading);
}

/** Of the radio buttons for one scope, the one that takes it away. */
export function isDeclined(field: Field): boolean {
  return field.type === "radio" && isNo(field.value, field.hint) && isAboutScope(field);
}

/** The same of a list. */
export function isDeclinedOption({ value, text }: Option, list: Field): boolean {
  return isNo(value, text) && isAboutScope(list);
}

function isNo(value: string, text: string): boolean {
  return /^(?:false|no|off|0|deny|denied|none|block|blocked)$/iu.test(value) || says("deny", text);
}

function isAboutScope(field: Field): boolean {
  return isScope(field) || asksAboutSending(field.name) || says("read", field.name);
}

/** Whether a field of this name is about sending. */
export function asksAboutSending(name: string): boolean {
  return /mail\.send/iu.test(name) || says("send", name);
}

/** Whether the name or the value of a field speaks of sending. */
export function isSending({ name, value }: Field): boolean {
  return asksAboutSending(`${name} ${value}`);
}
