/** How a secret is spelled where it stands: as it was issued, or written in another encoding. */
export type Spelling =
  | ""
  | "percent-encoded"
  | "percent-encoded twice"
  | "JSON-escaped"
  | "HTML-escaped"
  | "base64-encoded"
  | "re-encoded";

/** Characters that every encoding leaves as they are. */
export const plainCharacter = /[A-Za-z0-9]/u;

const namedEntities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};

// A quote or a backslash may be escaped for JSON or a shell before it is encoded once more.
const backslashes = String.raw`(?:\\|%5[Cc]|%255[Cc]){0,3}`;
const shortEscapes: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};

/** The source of a pattern for a text with any of its characters encoded, once or twice, for a URL, JSON or HTML. */
export function patternOf(text: string): string {
  return Array.from(text, (character) =>
    plainCharacter.test(character) ? character : anyForm(character),
  ).join("");
}

function anyForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const bytes = [...Buffer.from(character)].map((byte) => anyCase(byte.toString(16).padStart(2, "0")));
  const units = Array.from({ length: character.length }, (_, at) =>
    anyCase(character.charCodeAt(at).toString(16).padStart(4, "0")),
  );
  const named = namedEntities[character];
  const short = shortEscapes[character];
  const forms = [
    bytes.map((byte) => `%(?:25){0,2}${byte}`).join(""),
    ...(character === " " ? [String.raw`\+|%(?:25)?2[Bb]`] : []),
    units.map((unit) => String.raw`\\u${unit}`).join(""),
    `&(?:amp;){0,2}#(?:0*${code}|[xX]0*${anyCase(hex)});`,
    ...(named === undefined ? [] : [`&(?:amp;){0,2}${named};`]),
    ...(short === undefined ? [] : [String.raw`\\${short}`]),
    ...("\"\\/'".includes(character)
      ? [`${backslashes}(?:${literal(character)}|%(?:25)?${bytes.join("")})`]
      : []),
    literal(character),
  ];
  return `(?:${forms.join("|")})`;
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(character: string): string {
  return /[\w\s]/u.test(character)
    ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    : character.replace(/[\^$\\.*+?()[\]{}|/]/u, String.raw`\$&`);
}

/** @param written - how the secret `value` stands in a text */
export function spellingOf(value: string, written: string): Spelling {
  if (written === value) return "";
  const percentEncoded = encodeURIComponent(value.toWellFormed());
  if (written === percentEncoded) return "percent-encoded";
  if (written === encodeURIComponent(percentEncoded)) return "percent-encoded twice";
  if (written === JSON.stringify(value).slice(1, -1)) return "JSON-escaped";
  return /&(?:#|\w+;)/u.test(written) && !/[%\\]/u.test(written) ? "HTML-escaped" : "re-encoded";
}

/** A piece of the base64 form of a secret that stands in any base64 text that holds the secret. */
export interface Base64Piece {
  readonly text: string;
  /** Characters of the secret's base64 form before the piece, at most. */
  readonly before: number;
}

// Long enough to be found by; the rest of the secret is masked with it.
const pieceBytes = 24;
const fewestCharacters = 8;

/** One piece for each of the three places that a secret can have within groups of three bytes, in both alphabets. */
export function base64Pieces(value: string): Base64Piece[] {
  const bytes = Buffer.from(value);
  const tail = bytes.subarray(-pieceBytes);
  const before = Math.ceil(((bytes.length - tail.length) * 4) / 3) + 4;
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), tail])
      .toString("base64")
      .replace(/=+$/u, "");
    // The first characters also hold bits of what stands before the secret, and the last one of what follows.
    const from = offset === 0 ? 0 : offset + 1;
    const isOpen = (offset + tail.length) % 3 !== 0;
    const text = encoded.slice(from, isOpen ? -1 : undefined);
    if (text.length < fewestCharacters) return [];
    const forms = new Set([text, text.replaceAll("+", "-").replaceAll("/", "_")]);
    return [...forms].map((form) => ({ text: form, before }));
  });
}
