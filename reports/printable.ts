// Controls, format characters (the bidirectional ones among them), surrogate halves, line and paragraph separators.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * One line of text from the wire, safe to print: whatever could move the cursor, reorder text or hide it becomes a visible
 * escape such as `\u{1b}`. Newlines and tabs too; split the text into lines first to keep them.
 */
export function printable(text: string): string {
  return text.replaceAll(
    unprintable,
    (character) => String.raw`\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}

/** Whether {@link printable} leaves the text as it is. */
export function isPrintable(text: string): boolean {
  return text.search(unprintable) < 0;
}
