import { isPrintable } from "./printable.ts";

/** Names the shell variable that stands for a masked secret. */
export type VariableNames = ReadonlyMap<string, string>;

// The form is described at `Run`.
const fingerprint =
  /<(\w+) ([0-9a-f]{8}), \d+ characters(?:, ((?:percent|base64|re)-encoded(?: twice)?|(?:JSON|HTML)-escaped))?>/gu;

/** The distinct fingerprints in a text, in order. */
export function fingerprintsIn(text: string): string[] {
  // Most texts have none, and there are hundreds of thousands of them.
  if (!text.includes("<")) return [];
  return [...new Set(Array.from(text.matchAll(fingerprint), ([whole]) => whole))];
}

/**
 * A shell variable for each fingerprint in the texts, named after what the secret is: `ACCESS_TOKEN`, or `ACCESS_TOKEN_1`
 * and `ACCESS_TOKEN_2` when there are two.
 */
export function variableNames(texts: readonly string[]): VariableNames {
  const fingerprints = new Set(texts.flatMap(fingerprintsIn));
  const byName = Map.groupBy(fingerprints, baseName);
  return new Map(
    [...byName].flatMap(([name, alike]) =>
      alike.map((mark, at) => [mark, alike.length === 1 ? name : `${name}_${at + 1}`] as const),
    ),
  );
}

function baseName(mark: string): string {
  const [, kind = "", , spelling = ""] = [...mark.matchAll(fingerprint)][0] ?? [];
  return [kind.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "_"), spelling.replaceAll(/[- ]/gu, "_")]
    .filter((part) => part !== "")
    .join("_")
    .toUpperCase();
}

/** One word for a POSIX shell: single quotes, and double-quoted variables where secrets stood. */
export function shellWord(text: string, names: VariableNames): string {
  if (names.size === 0 || !text.includes("<")) return singleQuoted(text);
  const pieces = text.split(marksIn(names)).filter((piece) => piece !== "");
  if (pieces.length === 0) return "''";
  return pieces.map((piece) => reference(piece, names) ?? singleQuoted(piece)).join("");
}

/** A `printf` command that writes the text byte for byte, for what no argument can carry or no terminal can show. */
export function printfCommand(text: string, names: VariableNames): string {
  const marks = [...text.matchAll(new RegExp(alternatives(names), "gu"))].map(([mark]) => mark);
  const format = text
    .split(new RegExp(alternatives(names), "u"))
    .map((literal) => literal.replaceAll("\\", String.raw`\\`).replaceAll("%", "%%"))
    .join("%s");
  const escaped = Array.from(format, (character) =>
    // Two number signs together may start a command for a CI server.
    isPrintable(character) && character !== "#" ? character : escapes(character),
  ).join("");
  return ["printf", singleQuoted(escaped), ...marks.map((mark) => reference(mark, names))].join(" ");
}

function escapes(character: string): string {
  if (character === "\n") return String.raw`\n`;
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
}

function reference(piece: string, names: VariableNames): string | undefined {
  const name = names.get(piece);
  return name === undefined ? undefined : `"$${name}"`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const patterns = new WeakMap<VariableNames, RegExp>();

/** Of {@link alternatives}, as a group; the same for each word of a command. */
function marksIn(names: VariableNames): RegExp {
  const known = patterns.get(names);
  if (known !== undefined) return known;
  const pattern = new RegExp(`(${alternatives(names)})`, "u");
  patterns.set(names, pattern);
  return pattern;
}

/** A pattern of all fingerprints that have a name; it matches nothing when there are none. */
function alternatives(names: VariableNames): string {
  // Fingerprints hold no character that is special in a pattern.
  return names.size === 0 ? "(?!)" : [...names.keys()].join("|");
}
