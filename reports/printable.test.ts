import fc from "fast-check";
import { expect, test } from "vitest";
import { isPrintable, printable } from "./printable.ts";

test.for([
  { text: "\u{1B}[2K", shown: String.raw`\u{1b}[2K`, why: "an escape sequence" },
  { text: "a\u{9B}31mb", shown: String.raw`a\u{9b}31mb`, why: "its one-character form in C1" },
  { text: "a\u{202E}b", shown: String.raw`a\u{202e}b`, why: "text that runs from right to left" },
  { text: "a\u{2066}b", shown: String.raw`a\u{2066}b`, why: "a bidirectional isolate" },
  { text: "a\r\nb\tc", shown: String.raw`a\u{d}\u{a}b\u{9}c`, why: "line ends and tabs" },
  { text: "a\u{D83D}", shown: String.raw`a\u{d83d}`, why: "half a surrogate pair" },
  { text: "naïve ß 漢 😀 \\ <b>", shown: "naïve ß 漢 😀 \\ <b>", why: "plain text" },
])("$why", ({ text, shown }) => {
  expect(printable(text)).toBe(shown);
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom("a", "\u{0}", "\n", "\u{1B}", "\u{7F}", "\u{85}", "\u{200F}", "\u{2069}"),
  }),
);

function isHarmless(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const isBidirectional =
    code === 0x61c ||
    (code >= 0x200e && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069);
  return !isControl && !isBidirectional;
}

test("whatever comes in, no control and no bidirectional character comes out", () => {
  fc.assert(fc.property(anyText, (text) => [...printable(text)].every(isHarmless)));
});

test("what is printed once is printed the same again, and nothing else is changed", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = printable(text);
      expect(printable(shown)).toBe(shown);
      expect(isPrintable(text)).toBe(shown === text);
    }),
  );
});
