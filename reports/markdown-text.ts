import { printable } from "./printable.ts";

/** Text of ours as Markdown of one line: its code spans are kept, all else means itself. */
export function prose(text: string): string {
  return printable(text)
    .split(/(`[^`]+`)/u)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[\\`*_{}[\]<>#!|~&$@^]/gu, String.raw`\$&`)))
    .join("");
}

/** Text of a target as a code span, in which nothing has a meaning: no markup, no link, no mention. */
export function codeSpan(text: string): string {
  const shown = printable(text);
  if (shown.trim() === "") return "`" + " ".repeat(3) + "`";
  const fence = "`".repeat(longestRun(shown) + 1);
  // One space at either side is taken off again.
  return `${fence} ${shown} ${fence}`;
}

/** Lines as a code block. */
export function codeBlock(lines: readonly string[]): string {
  const text = lines.map(printable).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length));
}
