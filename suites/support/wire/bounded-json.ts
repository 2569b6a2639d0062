const deepest = 64;

/** An answer is read by several readers in a row: its secrets, its evidence, the check. */
let last: { readonly text: string; readonly value: unknown } | undefined;

/**
 * Parses JSON text; what lies deeper than 64 levels is null, so that whoever walks or prints the value needs no more stack
 * than that.
 *
 * @returns a value not to be changed, since the same text gives it again; undefined when the text is not JSON
 */
export function parseJson(text: string): unknown {
  if (last?.text !== text) last = { text, value: parsed(text) };
  return last.value;
}

function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: the answer to the question, not a failure to answer it.
    return undefined;
  }
  if (mayBeDeep(text)) cutOffBelow(value);
  return value;
}

/** Whether so many brackets are open at once; those in strings count too, which does no harm. */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) | 0x20;
    // `[` and `{`, `]` and `}` differ in this bit alone.
    if (code === 0x7b) depth += 1;
    else if (code === 0x7d) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Puts null in the place of what lies deeper than a number of levels. */
export function cutOffBelow(root: unknown, levels = deepest): void {
  let level = [root].filter(isContainer);
  for (let depth = 1; depth < levels; depth += 1)
    level = level.flatMap((value) => Object.values(value).filter(isContainer));
  for (const value of level) {
    for (const [name, member] of Object.entries(value))
      if (isContainer(member)) Reflect.set(value, name, null);
  }
}

/** Its own members in turn; who stops early does not pay for the rest of many. */
export function* membersOf(value: object): Generator<[name: string, member: unknown]> {
  for (const name of Object.keys(value)) yield [name, Reflect.get(value, name)];
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const mostValues = 2000;
const mostCharacters = 32_768;
const longestString = 4096;
const shortestString = 64;

/**
 * A copy of a JSON value that takes little memory: every member near the top with its type, long strings cut off, and what
 * is too much left out, the deepest first.
 */
export function outlineOf(root: unknown): unknown {
  let values = 0;
  let characters = 0;
  const queue: { readonly from: object; readonly to: object }[] = [];

  function copy(value: unknown): unknown {
    values += 1;
    if (typeof value === "string") {
      const room = Math.max(shortestString, Math.min(longestString, mostCharacters - characters));
      const text = flat(value.slice(0, room));
      characters += text.length;
      return text;
    }
    if (!isContainer(value)) return value;
    const to = Array.isArray(value) ? [] : {};
    queue.push({ from: value, to });
    return to;
  }

  const outline = copy(root);
  for (let next = queue.shift(); next !== undefined && values < mostValues; next = queue.shift()) {
    for (const [name, member] of membersOf(next.from)) {
      if (values >= mostValues) break;
      // Defined, since assigning to __proto__ would do something else.
      Object.defineProperty(next.to, flat(name.slice(0, longestString)), {
        value: copy(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return outline;
}

/** A copy of its own: a slice of a string keeps the whole string in memory. */
export function flat(text: string): string {
  return text.isWellFormed()
    ? Buffer.from(text).toString("utf8")
    : Buffer.from(text, "utf16le").toString("utf16le");
}
