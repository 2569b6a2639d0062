import { expect, test } from "vitest";
import { UsageError } from "../usage-error.ts";
import { challengeFrom, type ChallengeOptions } from "./challenge-source.ts";

const now = new Date("2026-01-01T00:00:00Z");
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwtOf = (claims: unknown): string => `${part({ alg: "EdDSA" })}.${part(claims)}.c2lnbmF0dXJl`;

function from(options: ChallengeOptions, text = ""): ReturnType<typeof challengeFrom> {
  return challengeFrom(options, () => Promise.resolve(text), now);
}

const claims = { jti: "j", difficulty: 7, salt: "0aFf" };

test.for([
  {
    why: "options alone",
    options: { jti: "a", salt: "0A", difficulty: "0" },
    text: "",
    expected: { jti: "a", saltHexText: "0A", difficultyBits: 0 },
  },
  {
    why: "a challenge as issued",
    options: {},
    text: jwtOf(claims),
    expected: { jti: "j", saltHexText: "0aFf", difficultyBits: 7 },
  },
  {
    why: "the header that carried it",
    options: {},
    text: `Authorization: bearer ${jwtOf(claims)}\r\n`,
    expected: { jti: "j" },
  },
  {
    why: "a salt of one's own",
    options: { salt: "beef" },
    text: jwtOf(claims),
    expected: { saltHexText: "beef" },
  },
  {
    why: "a salt claim by name",
    options: { "salt-claim": "s" },
    text: jwtOf({ ...claims, s: "5a17" }),
    expected: { saltHexText: "5a17" },
  },
  {
    why: "a difficulty of one's own",
    options: { difficulty: "3" },
    text: jwtOf(claims),
    expected: { difficultyBits: 3 },
  },
])("$why", async ({ options, text, expected }) => {
  expect(await from(options, text)).toMatchObject({ ...expected, warnings: [] });
});

test("an expired challenge is warned of", async () => {
  const { warnings } = await from({}, jwtOf({ ...claims, exp: now.getTime() / 1000 }));
  expect(warnings).toEqual(["this challenge expired at 2026-01-01T00:00:00.000Z"]);
});

test.for([
  { why: "no salt", options: { jti: "a", difficulty: "1" }, text: "", says: "--salt is missing" },
  { why: "no difficulty", options: { jti: "a", salt: "00" }, text: "", says: "--difficulty is missing" },
  {
    why: "an empty jti",
    options: { jti: "", salt: "00", difficulty: "1" },
    text: "",
    says: "--jti is empty",
  },
  {
    why: "a salt that is not hexadecimal",
    options: { jti: "a", salt: "salt", difficulty: "1" },
    text: "",
    says: '--salt "salt": expected hexadecimal digits',
  },
  {
    why: "a fraction of a bit",
    options: { jti: "a", salt: "00", difficulty: "1.5" },
    text: "",
    says: "0 to 512",
  },
  {
    why: "more bits than there are",
    options: { jti: "a", salt: "00", difficulty: "513" },
    text: "",
    says: "0 to 512",
  },
  { why: "two salts", options: { salt: "00", "salt-claim": "s" }, text: "", says: "both given" },
  {
    why: "a claim without a JWT",
    options: { jti: "a", "salt-claim": "s" },
    text: "",
    says: "--salt-claim names a claim",
  },
  { why: "nothing at all", options: {}, text: " \n", says: "standard input is empty" },
  { why: "no JWT", options: {}, text: "hello", says: "is not a JWT" },
  { why: "a JWT of an array", options: {}, text: jwtOf([1]), says: "is not a JWT" },
  {
    why: "no jti",
    options: {},
    text: jwtOf({ difficulty: 1, id: "x" }),
    says: "no text claim jti; it has difficulty, id",
  },
  { why: "no salt claim", options: {}, text: jwtOf({ jti: "j", difficulty: 1 }), says: "no text claim salt" },
  {
    why: "an inherited member as claim",
    options: { "salt-claim": "constructor" },
    text: jwtOf(claims),
    says: "no text claim constructor",
  },
  {
    why: "a difficulty as text",
    options: {},
    text: jwtOf({ ...claims, difficulty: "7" }),
    says: 'expected an integer of 0 to 512, it is "7"',
  },
  {
    why: "no difficulty in the challenge",
    options: {},
    text: jwtOf({ jti: "j", salt: "00" }),
    says: "it is missing",
  },
])("cannot be used: $why", async ({ options, text, says }) => {
  const attempt = from(options, text);
  await expect(attempt).rejects.toThrow(UsageError);
  await expect(attempt).rejects.toThrow(says);
});
