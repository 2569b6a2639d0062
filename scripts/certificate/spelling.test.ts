import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase64 } from "./base64.ts";
import { parseStrictJson } from "./strict-json.ts";

describe("base64", () => {
  test("either alphabet, with padding or without", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const plain = Buffer.from(bytes).toString("base64");
        const url = Buffer.from(bytes).toString("base64url");
        const padded = plain.replaceAll("+", "-").replaceAll("/", "_");
        for (const text of [plain, url, padded, plain.replace(/=+$/u, "")])
          expect(Buffer.from(decodeBase64(text) ?? "none")).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.for([
    { text: "QR==", why: "spare bits" },
    { text: "QQ=", why: "half of its padding" },
    { text: "QUI=A", why: "padding inside" },
    { text: "+_AA", why: "both alphabets at once" },
    { text: "QQ ==", why: "white space" },
    { text: "Q", why: "a lone digit" },
    { text: "QUFBQQ===", why: "too much padding" },
  ])("$text is none: $why", ({ text }) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});

describe("JSON of one meaning", () => {
  test("what JSON.stringify writes means itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, undefined, 1);
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.for([
    '{"a":1,"a":1}',
    String.raw`{"a":1,"\u0061":2}`,
    '[{"b":{"c":1,"d":2,"c":{}}}]',
    String.raw`{"\"":1,"\"":2}`,
    '{"__proto__":1,"__proto__":2}',
  ])("%s has two", (text) => {
    expect(() => parseStrictJson(text)).toThrow("occurs twice in one object");
  });

  test.for(['{"a":{"a":1},"b":"a"}', '[{"a":1},{"a":1}]', '{"a":["a","a",":"],"c":"{\\"a\\":1"}'])(
    "%s has one",
    (text) => {
      expect(parseStrictJson(text)).toEqual(JSON.parse(text));
    },
  );
});
