import type { Html } from "../html-text.ts";

/** Elements whose white space was sent or received. */
const verbatim = /(<pre[\s\S]*?<\/pre>|<bdi>[\s\S]*?<\/bdi>)/u;

/** Markup without the indentation of our templates, which would be a third of a page. */
export function compact({ markup }: Html): string {
  return markup
    .split(verbatim)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replaceAll(/\s+/gu, " ")))
    .join("");
}
