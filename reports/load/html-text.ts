/** Markup that is safe to put into a page. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Html[];

/** A template of markup: everything that is put in is escaped, unless it is markup itself. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    markup: pieces.map((piece, at) => piece + (at < parts.length ? markupOf(parts[at] ?? "") : "")).join(""),
  };
}

export const nothing: Html = { markup: "" };

function markupOf(part: Part): string {
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const references: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// Neither written as they are nor as references; and those that turn the direction of the text around them.
const unwritable =
  /[\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{7F}-\u{9F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{D800}-\u{DFFF}\u{FFFE}\u{FFFF}]/gu;

/** For text between tags and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(unwritable, "\u{FFFD}").replaceAll(/[&<>"']/gu, (sign) => references[sign] ?? sign);
}
