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
    why: "options only",
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
    why: "a JWT in its header",
    options: {},
    text: `Authorization: bearer ${jwtOf(claims)}\r\n`,
    expected: { jti: "j" },
  },
  {
    why: "a salt that overrides the claim",
    options: { salt: "beef" },
    text: jwtOf(claims),
    expected: { saltHexText: "beef" },
  },
  {
    why: "a named salt claim",
    options: { "salt-claim": "s" },
    text: jwtOf({ ...claims, s: "5a17" }),
    expected: { saltHexText: "5a17" },
  },
  {
    why: "a difficulty that overrides the claim",
    options: { difficulty: "3" },
    text: jwtOf(claims),
    expected: { difficultyBits: 3 },
  },
])("$why", async ({ options, text, expected }) => {
  expect(await from(options, text)).toMatchObject({ ...expected, warnings: [] });
});

test("an expired challenge causes a warning", async () => {
  const { warnings } = await from({}, jwtOf({ ...claims, exp: now.getTime() / 1000 }));
  expect(warnings).toEqual(["this challenge expired at 2026-01-01T00:00:00.000Z"]);
});

test.for([
  { why: "no salt", options: { jti: "a", difficulty: "1" }, text: "", message: "--salt is missing" },
  {
    why: "no difficulty",
    options: { jti: "a", salt: "00" },
    text: "",
    message: "--difficulty is missing",
  },
  {
    why: "an empty jti",
    options: { jti: "", salt: "00", difficulty: "1" },
    text: "",
    message: "--jti is empty",
  },
  {
    why: "a salt that is not hexadecimal",
    options: { jti: "a", salt: "salt", difficulty: "1" },
    text: "",
    message: '--salt "salt": expected hexadecimal digits',
  },
  {
    why: "a fraction of a bit",
    options: { jti: "a", salt: "00", difficulty: "1.5" },
    text: "",
    message: "0 to 512",
  },
  {
    why: "more bits than a digest has",
    options: { jti: "a", salt: "00", difficulty: "513" },
    text: "",
    message: "0 to 512",
  },
  {
    why: "two salts",
    options: { salt: "00", "salt-claim": "s" },
    text: "",
    message: "--salt and --salt-claim cannot be combined",
  },
  {
    why: "a claim without a JWT",
    options: { jti: "a", "salt-claim": "s" },
    text: "",
    message: "--salt-claim needs a challenge JWT",
  },
  { why: "no input", options: {}, text: " \n", message: "standard input is empty" },
  { why: "no JWT", options: {}, text: "hello", message: "is not a JWT" },
  { why: "a JWT of an array", options: {}, text: jwtOf([1]), message: "is not a JWT" },
  {
    why: "no jti",
    options: {},
    text: jwtOf({ difficulty: 1, id: "x" }),
    message: "no string claim jti; its claims: difficulty, id",
  },
  {
    why: "no salt claim",
    options: {},
    text: jwtOf({ jti: "j", difficulty: 1 }),
    message: "no string claim salt",
  },
  {
    why: "an inherited property as claim",
    options: { "salt-claim": "constructor" },
    text: jwtOf(claims),
    message: "no string claim constructor",
  },
  {
    why: "a difficulty that is a string",
    options: {},
    text: jwtOf({ ...claims, difficulty: "7" }),
    message: 'expected an integer from 0 to 512, but it is "7"',
  },
  {
    why: "no difficulty in the challenge",
    options: {},
    text: jwtOf({ jti: "j", salt: "00" }),
    message: "it is missing",
  },
])("usage error: $why", async ({ options, text, message }) => {
  const attempt = from(options, text);
  await expect(attempt).rejects.toThrow(UsageError);
  await expect(attempt).rejects.toThrow(message);
});
