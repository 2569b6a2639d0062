import { describe, expect, test } from "vitest";
import { parseNamePattern } from "./name-pattern.ts";

test.for([
  { pattern: "[a-z]{10}", length: 10 },
  { pattern: "^ct-[a-z0-9]{8}$", length: 11 },
  { pattern: "[A-Z][a-z]{3,9}\\d\\d", length: 12 },
  { pattern: "(?:bot|app)_\\w{8,}", length: 16 },
  { pattern: "[a-z][a-z0-9._-]+", length: 13 },
  { pattern: "x(-[a-f]{4}){3}", length: 16 },
  { pattern: "agent\\.[\\d\\-]*?", length: 18 },
  { pattern: "(?<name>a|b)c?[\\]\\\\]{2}", length: 4 },
])("$pattern gives names that it matches, of $length characters", ({ pattern, length }) => {
  const { newName } = parseNamePattern(pattern);
  const names = Array.from({ length: 50 }, newName);
  const whole = new RegExp(`^(?:${pattern})$`, "u");
  expect(names.filter((name) => !whole.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.length))).toEqual(new Set([length]));
});

test.for([
  { pattern: "[ab]{20}", bits: 20 },
  { pattern: "[0-7]{2}x", bits: 6 },
  { pattern: "[0-7]{9}|[ab]", bits: 1 },
  { pattern: "alice", bits: 0 },
])("$pattern has $bits bits", ({ pattern, bits }) => {
  expect(parseNamePattern(pattern).bits).toBe(bits);
});

describe("what no name can be made from is refused", () => {
  test.for([
    { pattern: "[a-z", says: "is not a regular expression" },
    { pattern: "[^a-z]{8}", says: 'has "[^a-z]{8}", from which no name can be made' },
    { pattern: ".{8}", says: 'has ".{8}"' },
    { pattern: "(?=a)[a-z]{8}", says: 'has "(?=a)[a-z]{8' },
    { pattern: "\\p{L}{8}", says: 'has "\\\\p{L}{8}"' },
    { pattern: "[\\s]{8}", says: "from which no name can be made" },
    { pattern: "[a-z]{65}", says: "asks for 65 repetitions" },
    { pattern: "([a-z])\\1", says: 'has "\\\\1"' },
  ])("$pattern", ({ pattern, says }) => {
    expect(() => parseNamePattern(pattern)).toThrow(says);
  });
});
