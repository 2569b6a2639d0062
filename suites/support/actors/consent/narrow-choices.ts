import type { Field, Option } from "./page.ts";
import { says } from "./words.ts";

/** "Read only", and "only let it read": reading without sending, whatever stands beside it. */
export function isReadOnly(text: string): boolean {
  return says("readOnly", text) || (says("only", text) && reads(text));
}

/** Of radio buttons with one name, the one that withholds sending. */
export function isNarrowRadio(field: Field, group: readonly Field[]): boolean {
  const textOf = ({ value, hint }: Field): string => `${value} ${hint}`;
  return isNarrow(field.value) || isReadOnly(field.hint) || isNarrowBeside(field, group, textOf);
}

/** Of a list, the option that withholds sending. */
export function isNarrowOption(option: Option, options: readonly Option[]): boolean {
  const textOf = ({ value, text }: Option): string => `${value} ${text}`;
  return isNarrow(option.value) || isReadOnly(option.text) || isNarrowBeside(option, options, textOf);
}

/** "Read mail" withholds something beside "Read and send mail" or "Everything". */
function isNarrowBeside<Item>(item: Item, items: readonly Item[], textOf: (item: Item) => string): boolean {
  const isWide = (other: Item): boolean => says("send", textOf(other)) || says("everything", textOf(other));
  return reads(textOf(item)) && !isWide(item) && items.some(isWide);
}

function isNarrow(text: string): boolean {
  return says("readOnly", text) || /^(?:mail\.)?read$/iu.test(text);
}

function reads(text: string): boolean {
  return says("read", text) && !says("send", text);
}
