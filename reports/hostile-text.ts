import fc from "fast-check";

/** Characters and words that do harm in some place where a report is shown. */
const harmful = [
  ..."\u{0}\n\r\t\u{1B}\u{7F}\u{85}\u{9B}\u{2028}\u{FEFF}\u{FFFE}",
  ..."\u{61C}\u{200F}\u{202E}\u{2066}\u{2069}\u{D83D}a\u{DE00}",
  ..."a :#<>&\"'`\\",
  "::",
  "##[",
  "##vso[",
  "]]>",
  "<!--",
];

/** Text as a target might choose it, for tests of what is rendered. */
export const hostileText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...harmful), { maxLength: 40 }).map((pieces) => pieces.join("")),
);

/** Why text must not be shown on a terminal or in a CI log; undefined when nothing speaks against it. */
export function harmIn(text: string): string | undefined {
  if (!text.isWellFormed()) return "half a surrogate pair";
  const control = Array.from(text).find(
    (character) => character !== "\n" && isControl(character.codePointAt(0) ?? 0),
  );
  if (control !== undefined) return `the character ${control.codePointAt(0)?.toString(16)}`;
  const command = text.split("\n").find((line) => /^\s*::|##(?:\[|vso|teamcity)/iu.test(line));
  return command === undefined ? undefined : `the command ${command}`;
}

function isControl(code: number): boolean {
  const isBidirectional =
    code === 0x61c ||
    (code >= 0x200e && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069);
  const breaksLine = code === 0x2028 || code === 0x2029;
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || isBidirectional || breaksLine;
}
