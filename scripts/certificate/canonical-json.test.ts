import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("the examples of RFC 8785", () => {
  test("§3.2.2 to 3.2.4: numbers, strings, and the order of names", () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test("§3.2.3: names are ordered by UTF-16 code units", () => {
    const names = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    const canonical = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    expect(
      [...canonical.matchAll(/("[^"]*"):/gu)].map(([, name = ""]) => JSON.parse(name) as string),
    ).toEqual(["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"]);
  });

  // Appendix B.
  test.for([
    { hex: "0000000000000000", text: "0" },
    { hex: "8000000000000000", text: "0" },
    { hex: "0000000000000001", text: "5e-324" },
    { hex: "7fefffffffffffff", text: "1.7976931348623157e+308" },
    { hex: "4340000000000000", text: "9007199254740992" },
    { hex: "4430000000000000", text: "295147905179352830000" },
    { hex: "44b52d02c7e14af5", text: "9.999999999999997e+22" },
    { hex: "44b52d02c7e14af6", text: "1e+23" },
    { hex: "444b1ae4d6e2ef4e", text: "999999999999999700000" },
    { hex: "444b1ae4d6e2ef50", text: "1e+21" },
    { hex: "3eb0c6f7a0b5ed8c", text: "9.999999999999997e-7" },
    { hex: "3eb0c6f7a0b5ed8d", text: "0.000001" },
    { hex: "41b3de4355555553", text: "333333333.3333332" },
    { hex: "becbf647612f3696", text: "-0.0000033333333333333333" },
    { hex: "43143ff3c1cb0959", text: "1424953923781206.2" },
  ])("0x$hex is $text", ({ hex, text }) => {
    expect(canonicalJson(Buffer.from(hex, "hex").readDoubleBE())).toBe(text);
  });

  test.for([NaN, Infinity, "\uD800", { a: "\uDC00" }, { "\uD800": 1 }, undefined, [() => 1]])(
    "%s has no spelling",
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    },
  );
});
