import fc from "fast-check";
import { expect, test } from "vitest";
import { createSecretMask } from "./secrets.ts";

const escapedForHtml: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const html = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => escapedForHtml[character] ?? "");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const form = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const lowerHex = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%../gu, (byte) => byte.toLowerCase());

const spellings = {
  "as it is": (text: string) => text,
  "percent-encoded": encodeURIComponent,
  "percent-encoded with lower-case digits": lowerHex,
  "percent-encoded twice": (text: string) => encodeURIComponent(encodeURIComponent(text)),
  "in a form": form,
  "in a form in a URL": (text: string) => encodeURIComponent(form(text)),
  "HTML-escaped": html,
  "HTML-escaped twice": (text: string) => html(html(text)),
  "HTML-escaped with numbers": (text: string) =>
    text.replaceAll(/[^A-Za-z0-9]/gu, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  "JSON-escaped": json,
  "JSON in a form": (text: string) => form(json(text)),
  "base64 with a name before it": (text: string) => base64(`client:${text}`),
  "base64 in the middle": (text: string) => base64(`ab${text}cd`),
  base64url: base64url,
  "base64url with a byte before it": (text: string) => base64url(`a${text}`),
} as const;

const aroundIt = ["", " ", "'", "(", "\u{201C}", "x", "=", "%20", "\n", "<b>", ".", "é"];

const secrets = {
  "an opaque token": "SlAV32hkKG-opaque_x9",
  "a password with marks": `pä"ss' <word> & 100%+ok/`,
  "a password of letters": "correcthorse",
  "a base64 cookie": "s%3AabcDEF+123/xyz456==",
  "a UUID": "9f1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d",
};

test.for(
  Object.entries(secrets).flatMap(([what, value]) =>
    Object.entries(spellings).map(([how, spell]) => ({ what, how, value, written: spell(value) })),
  ),
)("$what, $how, is masked next to whatever it stands", ({ value, written }) => {
  const mask = createSecretMask();
  mask.add("password", value);
  for (const before of aroundIt) {
    for (const after of aroundIt) {
      const isBase64 = /^[\w+/=-]*$/u.test(written) && !written.includes(value);
      if (isBase64 && [before, after].some((text) => /^[\w=]/u.test(text))) continue;
      const shown = mask.text(`${before}${written}${after}`);
      expect(shown).toMatch(/<password [0-9a-f]{8}, \d+ characters/u);
      expect(shown.replaceAll(/<password [^>]*>/gu, "").length).toBeLessThanOrEqual(
        before.length + after.length + (isBase64 ? 12 : 0),
      );
    }
  }
});

test.for([
  { password: "hunter2", text: "hunter2", isMasked: true },
  { password: "pw", text: "user=a&password=pw&x=1", isMasked: true },
  { password: "pw", text: "the pwd is https://pwned.example", isMasked: false },
  { password: "pw", text: "return%3Dpw%26x", isMasked: true },
  { password: "a!b", text: '<input value="a&#33;b">', isMasked: true },
  { password: "hunter2", text: "xhunter2y", isMasked: true },
  { password: "1234", text: '{"pin":"1234"}', isMasked: true },
  { password: "1234", text: "at 12345 ms", isMasked: false },
  { password: " padded pass ", text: "[padded pass]", isMasked: true },
])("the password $password in $text is masked: $isMasked", ({ password, text, isMasked }) => {
  const mask = createSecretMask();
  mask.add("password", password);
  expect(mask.text(text) !== text).toBe(isMasked);
});

test("no secret of a random run is left in a random text, whatever its spelling", () => {
  const secret = fc
    .string({ unit: "grapheme-ascii", minLength: 8, maxLength: 60 })
    .filter((text) => text.trim().length >= 8);
  const spelling = fc.constantFrom(...Object.values(spellings));
  const filler = fc.string({ unit: "grapheme-ascii", maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(filler, fc.nat(), spelling)),
      (values, pieces) => {
        const mask = createSecretMask();
        for (const value of values) mask.add("code", value);
        const written = pieces.map(([text, at, spell]) => [text, spell(values[at % values.length] ?? "")]);
        const shown = mask.text(written.flat().join(" "));
        for (const value of values) expect(shown).not.toContain(value);
        expect(mask.fingerprintsIn(shown.replaceAll(/<code [^>]*>/gu, "\n")).size).toBe(0);
      },
    ),
  );
});

test("a text of the worst kind takes time in proportion to its length", () => {
  const mask = createSecretMask();
  for (let length = 8; length < 500; length += 1) mask.add("code", "A".repeat(length));
  const seconds = (text: string): number => {
    const startedAt = performance.now();
    mask.text(text);
    return (performance.now() - startedAt) / 1000;
  };
  for (const text of [
    "A".repeat(20_000),
    "eyJ".repeat(300_000),
    "%25".repeat(300_000),
    "<input ".repeat(100_000),
  ])
    expect(seconds(text)).toBeLessThan(10);
});
