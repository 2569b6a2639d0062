/** A regular expression from which no names can be made. The message says why. */
export class NamePatternError extends Error {
  override readonly name = "NamePatternError";
}

/** Makes names that a regular expression matches as a whole. */
export interface NamePattern {
  /** Binary logarithm of how many names there are, at least. */
  readonly bits: number;
  /** Each name is as likely as the others, as far as the alternatives allow. */
  newName(): string;
}

/** A part of a pattern: its entropy and how to draw one. */
interface Part {
  readonly bits: number;
  draw(): string;
}

// Where a quantifier leaves the number open, names grow to this many repetitions: short ones would soon be taken.
const openRepetitions = 12;
const mostRepetitions = 64;

const digits = "0123456789";
const letters = "abcdefghijklmnopqrstuvwxyz";
const classes: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${letters.toUpperCase()}${digits}_`,
};

/**
 * Reads the part of regular expressions that names are described by: characters, classes such as `[a-z0-9-]`, `\d` and `\w`,
 * groups, alternatives, and quantifiers. An open quantifier stands for twelve repetitions, or as many as it asks for.
 *
 * @throws {NamePatternError}
 */
export function parseNamePattern(source: string): NamePattern {
  const whole = compile(source);
  const reader = createReader(source.replace(/^\^/u, "").replace(/(?<!\\)\$$/u, ""));
  const part = alternatives(reader);
  if (reader.peek() !== undefined) throw unsupported(reader);
  const example = part.draw();
  if (!whole.test(example))
    throw new NamePatternError(`is read as matching ${JSON.stringify(example)}, which it does not match`);
  return { bits: part.bits, newName: () => part.draw() };
}

function compile(source: string): RegExp {
  try {
    return new RegExp(`^(?:${source})$`, "u");
  } catch (cause) {
    throw new NamePatternError("is not a regular expression", { cause });
  }
}

interface Reader {
  peek(): string | undefined;
  next(): string;
  /** Takes what the sticky expression matches here; undefined when it does not. */
  take(expression: RegExp): RegExpExecArray | undefined;
  readonly rest: string;
}

function createReader(text: string): Reader {
  let at = 0;
  return {
    peek: () => text[at],
    next: () => text[at++] ?? "",
    take(expression) {
      const found = new RegExp(expression, "uy");
      found.lastIndex = at;
      const match = found.exec(text) ?? undefined;
      at += match?.[0].length ?? 0;
      return match;
    },
    get rest() {
      return text.slice(at);
    },
  };
}

function unsupported({ rest }: Reader): NamePatternError {
  return new NamePatternError(
    `has ${JSON.stringify(rest.slice(0, 12))}, from which no name can be made; use characters, classes such as [a-z0-9], groups, alternatives and quantifiers`,
  );
}

function alternatives(reader: Reader): Part {
  const all = [sequence(reader)];
  while (reader.take(/\|/u) !== undefined) all.push(sequence(reader));
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first ?? { bits: 0, draw: () => "" };
  return {
    bits: Math.min(...all.map(({ bits }) => bits)),
    draw: () => all[randomBelow(all.length)]?.draw() ?? "",
  };
}

function sequence(reader: Reader): Part {
  const parts: Part[] = [];
  while (reader.peek() !== undefined && !"|)".includes(reader.peek() ?? "")) parts.push(repeated(reader));
  return {
    bits: parts.reduce((sum, { bits }) => sum + bits, 0),
    draw: () => parts.map((part) => part.draw()).join(""),
  };
}

function repeated(reader: Reader): Part {
  const one = atom(reader);
  const count = repetitions(reader);
  if (count === 1) return one;
  return {
    bits: one.bits * count,
    draw: () => Array.from({ length: count }, () => one.draw()).join(""),
  };
}

function repetitions(reader: Reader): number {
  const braces = reader.take(/\{(\d+)(?:(,)(\d*))?\}/u);
  const mark = braces === undefined ? reader.take(/[?*+]/u)?.[0] : undefined;
  reader.take(/\?/u);
  if (mark !== undefined) return mark === "?" ? 1 : openRepetitions;
  if (braces === undefined) return 1;
  const [, least = "1", comma, most = ""] = braces;
  const longest = comma === undefined ? Number(least) : most === "" ? Infinity : Number(most);
  const count = Math.min(longest, Math.max(Number(least), openRepetitions));
  if (count > mostRepetitions)
    throw new NamePatternError(`asks for ${count} repetitions; no name has more than ${mostRepetitions}`);
  return count;
}

function atom(reader: Reader): Part {
  if (reader.take(/\((?:\?:|\?<[A-Za-z]\w*>)?(?!\?)/u) !== undefined) {
    const inner = alternatives(reader);
    reader.next();
    return inner;
  }
  const set = reader.take(/\[((?:[^\]\\^]|\\.)(?:[^\]\\]|\\.)*)\]/u);
  if (set !== undefined) return oneOf(membersOf(set[1] ?? "", reader));
  const escaped = reader.take(/\\([dw.\-+_/\\$^()[\]{}|?*])/u)?.[1];
  if (escaped !== undefined) return oneOf(classes[escaped] ?? escaped);
  if ("\\[(.^$*+?{".includes(reader.peek() ?? "\\")) throw unsupported(reader);
  return oneOf(reader.next());
}

/** The characters of a class, as written between its brackets. */
function membersOf(text: string, reader: Reader): string {
  const pieces = createReader(text);
  let members = "";
  while (pieces.peek() !== undefined) {
    const range = pieces.take(/([!-~])-([!-~])/u);
    const escaped = range === undefined ? pieces.take(/\\([^])/u)?.[1] : undefined;
    if (range !== undefined) members += charactersBetween(range[1] ?? "", range[2] ?? "");
    else if (escaped === undefined) members += pieces.next();
    else if (classes[escaped] !== undefined || !/\w/u.test(escaped)) members += classes[escaped] ?? escaped;
    else throw unsupported(reader);
  }
  return [...new Set(members)].join("");
}

function charactersBetween(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
}

function oneOf(members: string): Part {
  const all = [...members];
  return { bits: Math.log2(all.length), draw: () => all[randomBelow(all.length)] ?? "" };
}

function randomBelow(limit: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value % limit;
}
