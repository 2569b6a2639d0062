import { styleText } from "node:util";

/** How much a place can show. */
export interface TerminalStyle {
  /** Columns to wrap sentences at; absent where lines may be of any length. */
  readonly width?: number;
  readonly isColoured?: boolean;
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

// Narrower, each word would stand alone.
const leastWidth = 40;

/** `FORCE_COLOR` decides before `NO_COLOR`, as in Node.js, and both before what the stream is. */
export function terminalStyle(stream: Output, environment: Environment): TerminalStyle {
  const { FORCE_COLOR: forced, NO_COLOR: refused = "", TERM: terminal } = environment;
  const isColoured =
    forced === undefined
      ? refused === "" && terminal !== "dumb" && stream.isTTY === true
      : forced !== "0" && forced !== "false";
  const width = stream.isTTY ? stream.columns : undefined;
  return { isColoured, ...(width !== undefined && width >= leastWidth && { width }) };
}

/** Breaks a line between words; what follows the first part is indented two columns more. */
export function wrapped(line: string, width: number | undefined): string[] {
  const indentation = /^ */u.exec(line)?.[0] ?? "";
  if (width === undefined || line.length <= width) return [line];
  const lines: string[] = [];
  let current = indentation;
  for (const word of line.trimStart().split(" ")) {
    const isFirst = current.trim() === "";
    if (!isFirst && current.length + 1 + word.length > width) {
      lines.push(current);
      current = `${indentation}  ${word}`;
    } else current += isFirst ? word : ` ${word}`;
  }
  return [...lines, current];
}

const markColours = {
  "✓": "green",
  "✗": "red",
  "!": "yellow",
  "?": "yellow",
  "–": "yellow",
} as const;

/** Colours the mark that a line begins with, and its counts; a line that holds no escape sequence gets none but ours. */
export function coloured(line: string): string {
  return line.replace(
    /^( *)([✓✗!?–]) (\S+)/u,
    (_all, indentation: string, mark: keyof typeof markColours, word: string) =>
      `${indentation}${style([markColours[mark], "bold"], `${mark} ${word}`)}`,
  );
}

export function bold(line: string): string {
  return style(["bold"], line);
}

function style(formats: Parameters<typeof styleText>[0], text: string): string {
  return styleText(formats, text, { validateStream: false });
}
