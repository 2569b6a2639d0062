// Controls, format characters (the bidirectional ones among them), surrogate halves, line and paragraph separators, and what
// is not a character at all.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
// CI servers take commands from what a job prints: `::error::` at the start of a line, and `##[error]`, `##vso[` or
// `##teamcity[` anywhere in it.
const ciCommand = /(?<=^\s*):(?=:)|#(?=#(?:\[|vso|teamcity))/giu;

/**
 * One line of text, safe to show: whatever could move the cursor, reorder text, hide it or command a CI server becomes a
 * visible escape such as `\u{1b}`. Newlines and tabs too; {@link printableText} keeps them.
 */
export function printable(line: string): string {
  return line.replaceAll(unprintable, escaped).replaceAll(ciCommand, escaped);
}

// Nothing that the other two would find, in lines of ASCII: nearly all text, and it is looked at once.
const suspicious = /[^\t\n -~]|##|^\s*::/mu;

/** Text of several lines, each {@link printable}. */
export function printableText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .split("\n")
    .map((line) => line.split("\t").map(printable).join("\t"))
    .join("\n");
}

/** Whether {@link printable} leaves the text as it is. */
export function isPrintable(text: string): boolean {
  return printable(text) === text;
}

function escaped(character: string): string {
  return String.raw`\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}
