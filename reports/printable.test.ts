import fc from "fast-check";
import { expect, test } from "vitest";
import { harmIn, hostileText } from "./hostile-text.ts";
import { isPrintable, printable } from "./printable.ts";

test.for([
  { text: "\u{1B}[2K", shown: String.raw`\u{1b}[2K`, why: "an escape sequence" },
  { text: "a\u{9B}31mb", shown: String.raw`a\u{9b}31mb`, why: "its one-character form in C1" },
  { text: "a\u{202E}b", shown: String.raw`a\u{202e}b`, why: "text that runs from right to left" },
  { text: "a\u{2066}b", shown: String.raw`a\u{2066}b`, why: "a bidirectional isolate" },
  { text: "a\r\nb\tc", shown: String.raw`a\u{d}\u{a}b\u{9}c`, why: "line ends and tabs" },
  { text: "a\u{D83D}", shown: String.raw`a\u{d83d}`, why: "half a surrogate pair" },
  { text: "::error::forged", shown: String.raw`\u{3a}:error::forged`, why: "a command of GitHub Actions" },
  { text: "  ::set-env", shown: String.raw`  \u{3a}:set-env`, why: "such a command, indented" },
  { text: "[::1]:443 a::b", shown: "[::1]:443 a::b", why: "two colons elsewhere" },
  { text: "x ##[error]y", shown: String.raw`x \u{23}#[error]y`, why: "its older form" },
  {
    text: "##vso[a]##teamcity[b]",
    shown: String.raw`\u{23}#vso[a]\u{23}#teamcity[b]`,
    why: "commands of other CI servers",
  },
  { text: "## heading #1", shown: "## heading #1", why: "number signs elsewhere" },
  { text: "naïve ß 漢 😀 \\ <b>", shown: "naïve ß 漢 😀 \\ <b>", why: "plain text" },
])("$why", ({ text, shown }) => {
  expect(printable(text)).toBe(shown);
});

test("whatever comes in, nothing harmful comes out", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(harmIn(printable(text))).toBeUndefined();
      expect(printable(text)).not.toContain("\n");
    }),
  );
});

test("what is printed once is printed the same again, and nothing else is changed", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = printable(text);
      expect(printable(shown)).toBe(shown);
      expect(isPrintable(text)).toBe(shown === text);
    }),
  );
});
