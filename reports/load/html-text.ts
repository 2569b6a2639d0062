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
// Not allowed in HTML, or bidirectional controls.
const unsafeCharacters =
  /[\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{7F}-\u{9F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{D800}-\u{DFFF}\u{FFFE}\u{FFFF}]/gu;

/** For element content and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(unsafeCharacters, "\u{FFFD}")
    .replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character);
}
