import type { Field, Option } from "./page.ts";
import { refusesSending, says } from "./words.ts";

/** "Read only", and "only let it read": reading without sending, whatever stands beside it. */
export function isReadOnly(text: string): boolean {
  return says("readOnly", text) || (says("only", text) && reads(text));
}

/** Of radio buttons with one name, the one that withholds sending. */
export function isNarrowRadio(field: Field, group: readonly Field[]): boolean {
  const told = ({ value, hint }: Field): string => `${value} ${hint}`;
  if (isNarrow(field.value)) return true;
  return !choosesInbox(field) && (isReadOnly(field.hint) || isNarrowBeside(field, group, told));
}

/** Of a list, the option that withholds sending. */
export function isNarrowOption(option: Option, list: Field): boolean {
  if (isNarrow(option.value)) return true;
  return !choosesInbox(list) && (isReadOnly(option.text) || isNarrowBeside(option, list.options, textOf));
}

/** Of a list that offers both, the option that takes sending in. */
export function isWideOption(option: Option, list: Field): boolean {
  return isWide(textOf(option)) && list.options.some((other) => isNarrowOption(other, list));
}

function textOf({ value, text }: Option): string {
  return `${value} ${text}`;
}

/** An inbox may be called "Reading list". */
function choosesInbox({ name }: Field): boolean {
  return says("inbox", name);
}

/** "Read mail" withholds something beside "Read and send mail" or "Everything". */
function isNarrowBeside<Item>(item: Item, items: readonly Item[], textOf: (item: Item) => string): boolean {
  const isWideItem = (other: Item): boolean => isWide(textOf(other));
  return reads(textOf(item)) && !isWideItem(item) && items.some(isWideItem);
}

/** It takes sending in. */
export function isWide(text: string): boolean {
  return (says("send", text) && !refusesSending(text)) || says("everything", text);
}

function isNarrow(text: string): boolean {
  return says("readOnly", text) || /^(?:mail\.)?read$/iu.test(text);
}

function reads(text: string): boolean {
  return says("read", text) && (!says("send", text) || refusesSending(text));
}
