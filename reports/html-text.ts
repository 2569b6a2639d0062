import { printableText } from "./printable.ts";

/** Escaped markup. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Html[];

/** A template tag that escapes interpolated values, except other {@link Html}. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    markup: pieces.map((piece, at) => piece + (at < parts.length ? markupOf(parts[at] ?? "") : "")).join(""),
  };
}

export const empty: Html = { markup: "" };

function markupOf(part: Part): string {
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For element content and quoted attribute values. */
export function escapeHtml(text: string): string {
  return printableText(text).replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character);
}
