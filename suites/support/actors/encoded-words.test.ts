import { expect, test } from "vitest";
import { withoutEncodedWords } from "./encoded-words.ts";

test.each([
  ["mailproof 1", "mailproof 1"],
  ["Grüße =?", "Grüße =?"],
  ["=?UTF-8?B?bWFpbHByb29mIPCfkow=?=", "mailproof 💌"],
  ["=?utf-8?q?mail=70roof_=C3=A9?= x", "mailproof é x"],
  ["=?UTF-8?B?4pw=?= =?UTF-8?B?iQ==?=", "✉"],
])("%s", (text, read) => {
  expect(withoutEncodedWords(text)).toBe(read);
});
