import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BlockedError } from "../verdict.ts";
import {
  firstDistinct,
  inOtherCase,
  mayMeanTheSame,
  withCharacterAdded,
  withCharacterChanged,
  withCharacterOfKindChanged,
  withoutLastCharacter,
} from "./mutations.ts";

describe("two texts may mean the same", () => {
  const uuid = "6f1c2b9a-0d3e-4f57-8a61-2b3c4d5e6f70";
  const bytes = Buffer.from("0123456789abcdef0123456789abcdef01", "hex");
  test.for([
    { one: "abc", other: "abc ", why: "a framework trims" },
    { one: "0aff0aff", other: "0AFF0AFF", why: "hexadecimal digits in another case" },
    { one: uuid, other: uuid.replaceAll("-", "").toUpperCase(), why: "a UUID without hyphens" },
    { one: bytes.toString("base64"), other: bytes.toString("base64url"), why: "both kinds of base64" },
    { one: "AAAAAAAAAAE", other: "AAAAAAAAAAF", why: "bits of the last character that stand for no byte" },
    { one: "AAAAAAAAAAAA", other: "AAAAAAAAAAAAA", why: "a last character that makes no byte" },
  ])("$one and $other ($why)", ({ one, other }) => {
    expect(mayMeanTheSame(one, other)).toBe(true);
  });

  test.for([
    { one: "0aff0aff", other: "0aff0afe", why: "another digit" },
    { one: uuid, other: `${uuid.slice(0, -1)}1`, why: "another UUID" },
    { one: "abc", other: "abcd", why: "a longer text" },
    { one: "S256", other: "S257", why: "another word" },
  ])("but not $one and $other ($why)", ({ one, other }) => {
    expect(mayMeanTheSame(one, other)).toBe(false);
  });
});

describe("a change", () => {
  const kinds = {
    hexadecimal: () => randomBytes(32).toString("hex"),
    base64url: () => randomBytes(33).toString("base64url"),
    "short base64url": () => randomBytes(16).toString("base64url"),
    UUID: () => randomUUID(),
    "text with symbols in its middle": () =>
      `${randomBytes(9).toString("hex")}+/=&%:${randomBytes(9).toString("hex")}`,
  };
  const changes = {
    withCharacterAdded,
    withCharacterChanged,
    withCharacterOfKindChanged,
    withoutLastCharacter,
  };
  test.for(
    Object.entries(kinds).flatMap(([kind, make]) =>
      Object.entries(changes).map(([name, change]) => ({ kind, make, name, change })),
    ),
  )("$name of a credential in $kind never means the same", ({ make, change }) => {
    for (let round = 0; round < 50; round += 1) {
      const original = make();
      expect(mayMeanTheSame(change(original, "credentials"), original)).toBe(false);
    }
  });

  test("that hits something else that is valid is not used", () => {
    const [own, other] = ["6f1c2b9a-0d3e-4f57-8a61-2b3c4d5e6f70", "6f1c2b9a-0d3e-4f57-8a61-2b3c4d5e6f71"];
    const third = "6f1c2b9a-0d3e-4f57-8a61-2b3c4d5e6f72";
    expect(firstDistinct(own, [other, third], "UUIDs", [other.toUpperCase()])).toBe(third);
  });

  test("that changes nothing blocks the check", () => {
    expect(() => firstDistinct("abc", ["ABC", " abc"], "codes")).toThrow(BlockedError);
    expect(() => inOtherCase("1234", "codes")).toThrow("the target's codes have no letters");
  });
});
