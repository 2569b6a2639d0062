import type { Element, Field, Option, SubmitButton } from "./page.ts";

/** A control as it stands in the markup; labels may still follow, which are part of the hint. */
export type UnlabelledField = Omit<Field, "hint">;

/**
 * @param value - what it holds; undefined for none
 * @param options - of a select
 * @returns undefined for an element that sends nothing
 */
export function fieldOf(
  element: Element,
  value: string | undefined,
  options: readonly Option[],
  isUnseen: boolean,
): UnlabelledField | undefined {
  const type = fieldType(element);
  const { name, checked, required, multiple } = element.attributes;
  if (type === undefined || name === undefined || name === "") return undefined;
  // An HTML check box without a value sends "on".
  const whenMissing = type === "checkbox" || type === "radio" ? "on" : "";
  return {
    type,
    name,
    value: value ?? whenMissing,
    checked: checked !== undefined,
    required: required !== undefined,
    options,
    multiple: multiple !== undefined,
    isUnseen: isUnseen || hides(element),
    element,
  };
}

/** @param text - what it shows */
export function submitButtonOf(element: Element, text: string): SubmitButton {
  const { attributes } = element;
  return {
    text,
    name: attributes["name"] ?? "",
    value: attributes["value"] ?? "",
    isImage: attributes["type"]?.toLowerCase() === "image",
    overrides: {
      ...(attributes["formaction"] !== undefined && { action: attributes["formaction"].trim() }),
      ...(attributes["formmethod"] !== undefined && { method: attributes["formmethod"].toUpperCase() }),
      ...(attributes["formenctype"] !== undefined && { enctype: attributes["formenctype"].toLowerCase() }),
    },
    element,
  };
}

/** Its text, or what names it where it has none. */
export function buttonText({ attributes }: Element, shown: string): string {
  return shown || attributes["aria-label"] || attributes["alt"] || attributes["title"] || "";
}

/** Elements whose content nobody sees. */
export function isUnread(tag: string): boolean {
  return tag === "script" || tag === "style" || tag === "template";
}

/** Not shown as the page stands: what is in it is for a script to show, or a trap for robots that fill in everything. */
export function hides({ tag, attributes }: Element): boolean {
  const { hidden, style = "", "aria-hidden": fromReaders } = attributes;
  const offScreen = /(?:left|top|right|text-indent)\s*:\s*-\d{3,}/iu.test(style);
  return (
    hidden !== undefined ||
    (tag === "dialog" && attributes["open"] === undefined) ||
    fromReaders?.toLowerCase() === "true" ||
    /display\s*:\s*none|visibility\s*:\s*hidden/iu.test(style) ||
    offScreen
  );
}

export function fieldType({ tag, attributes }: Element): string | undefined {
  if (tag === "select" || tag === "textarea") return tag;
  if (tag !== "input") return undefined;
  const type = (attributes["type"] ?? "text").toLowerCase();
  return ["submit", "image", "button", "reset", "file"].includes(type) ? undefined : type;
}

export function submits({ tag, attributes }: Element): boolean {
  const type = attributes["type"]?.toLowerCase();
  if (tag === "button") return type !== "button" && type !== "reset";
  return tag === "input" && (type === "submit" || type === "image");
}

export function readable(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
