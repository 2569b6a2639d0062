import { scrypt as nobleScrypt } from "@noble/hashes/scrypt.js";
import { expect, test } from "vitest";
import vectors from "../../../fixtures/vectors/pow.json" with { type: "json" };
import { type Answer, diagnose } from "./diagnosis.ts";
import { countingMistakes, digestMistakes } from "./mistakes.ts";
import { powDigest } from "./scrypt-digest.ts";
import { matchDigest, readWrittenDigest } from "./written-digest.ts";

const challenge = {
  jti: "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192",
  saltHexText: "9f86d081884c7d659a2feaa0c55ad015",
};

/** A diagnosis may take forty hashes, on a machine that may be busy. */
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

function vector(nonce: string): { digest: string; decodedSaltDigest: string } {
  const found = vectors.digests.find(({ input }) => input.nonce === nonce);
  if (found === undefined) throw new RangeError(`fixtures/vectors/pow.json has no digest of nonce ${nonce}`);
  return found.expected;
}

function answer(nonce: string, powHex: string, difficultyBits = 6): Answer {
  return { ...challenge, nonce, powHex, difficultyBits };
}

const correct = vector("162").digest;
const reversed = Buffer.from(bytesOf(correct).toReversed()).toString("hex");

test.for([
  { nonce: "162", difficultyBits: 6, why: "exactly as many bits as required" },
  { nonce: "121", difficultyBits: 6, why: "more than required" },
  { nonce: "0", difficultyBits: 1, why: "0 is a valid nonce" },
])("nonce $nonce is valid at $difficultyBits bits ($why)", async ({ nonce, difficultyBits }) => {
  const found = await diagnose(answer(nonce, vector(nonce).digest, difficultyBits));
  expect(found).toMatchObject({ isValid: true, problems: [], mistakes: [] });
});

test.for<{ given: Answer; ids: string[]; why: string }>([
  { given: answer("87", vector("87").decodedSaltDigest), ids: ["decoded-salt"], why: "decoded salt" },
  { given: answer("14", vector("14").digest), ids: ["lsb"], why: "bits least significant first" },
  { given: answer("19", vector("19").digest), ids: ["tail"], why: "little-endian" },
  {
    given: answer("53", vector("53").digest),
    ids: ["word32-le", "nibbles"],
    why: "whole digits; 0b586802 read as 0268580b fits too",
  },
  { given: answer("28", vector("28").digest), ids: ["nibbles", "one-bit-short"], why: "two causes fit" },
  { given: answer("162", correct.toUpperCase()), ids: ["upper-case-hex"], why: "upper-case digits" },
  { given: answer("162", correct.slice(0, 64)), ids: ["digest-length"], why: "32 bytes" },
  { given: answer("162", reversed), ids: ["reversed"], why: "last byte first" },
  {
    given: answer("87", vector("87").decodedSaltDigest.slice(0, 64).toUpperCase()),
    ids: ["decoded-salt", "upper-case-hex", "digest-length"],
    why: "several at once",
  },
  { given: answer("161", correct), ids: ["next-nonce"], why: "digest of the next nonce" },
  { given: answer("162", "5a".repeat(64)), ids: [], why: "no known mistake" },
  { given: answer("162", "none"), ids: [], why: "not a digest" },
])("a wrong answer is explained by $ids ($why)", async ({ given, ids }) => {
  const { isValid, mistakes } = await diagnose(given);
  expect(isValid).toBe(false);
  expect(mistakes.map(({ id }) => id)).toEqual(ids);
});

test.for(vectors.mistakes)("the mistake $id produces its digest ($why)", async ({ input, expected }) => {
  const mistake = digestMistakes.find(({ id }) => id === input.recipe);
  const digest = await powDigest(input, mistake?.overrides(input));
  expect(Buffer.from(digest).toString("hex").slice(0, 32)).toBe(expected.digestStart);
});

// The vectors contain the start of each digest, which is enough to recognise it.
test.for(vectors.mistakes.filter(({ input }) => ["no-colon", "N=32768"].includes(input.recipe)))(
  "the answer of $id is recognised ($why)",
  async ({ input, expected }) => {
    const { mistakes } = await diagnose({ ...input, difficultyBits: 0, powHex: expected.digestStart });
    expect(mistakes.map(({ id }) => id)).toEqual([input.recipe, "digest-length"]);
  },
);

test.for([
  {
    // 2^53 + 1 rounds to 2^53, which is also the previous nonce.
    given: { ...challenge, nonce: "9007199254740993" },
    hashed: { password: `${challenge.jti}:9007199254740992`, salt: challenge.saltHexText },
    ids: ["rounded-nonce", "previous-nonce"],
    why: "mistakes that hash the same input are all reported",
  },
  {
    given: { jti: "a", saltHexText: "12", nonce: "7" },
    hashed: { password: "A:7", salt: "12" },
    ids: ["upper-jti"],
    why: "upper-casing a salt without letters changes nothing",
  },
])("$ids: $why", async ({ given, hashed, ids }) => {
  const digest = nobleScrypt(hashed.password, hashed.salt, { N: 16384, r: 8, p: 1, dkLen: 64 });
  const powHex = Buffer.from(digest).toString("hex");
  const { mistakes } = await diagnose({ ...given, powHex, difficultyBits: 0 });
  expect(mistakes.map(({ id }) => id)).toEqual(ids);
});

test("no two known mistakes share an id", () => {
  const ids = digestMistakes.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.for(["0xa2", "-1", "1e3", ""])(
  "the nonce %j is a problem although its digest is correct",
  async (nonce) => {
    const digest = nobleScrypt(`${challenge.jti}:${nonce}`, challenge.saltHexText, {
      N: 16384,
      r: 8,
      p: 1,
      dkLen: 64,
    });
    const found = await diagnose(answer(nonce, Buffer.from(digest).toString("hex"), 0));
    expect(found).toMatchObject({
      isValid: false,
      problems: [`the nonce ${JSON.stringify(nonce)} is not a non-negative decimal integer`],
    });
  },
);

test.for([
  { hex: "08", difficultyBits: 6, nonce: "9", ids: ["nibbles"], why: "4 bits are one digit" },
  {
    hex: "61",
    difficultyBits: 3,
    nonce: "9",
    ids: [],
    why: "a mistake that accepts any digest stops at nonce 0",
  },
  {
    hex: "61",
    difficultyBits: 3,
    nonce: "0",
    ids: ["nibbles", "bytes"],
    why: "such a mistake is found at nonce 0",
  },
  { hex: "0071", difficultyBits: 10, nonce: "9", ids: ["nibbles", "bytes", "one-bit-short"], why: "9 of 10" },
  { hex: "ffffff000000ff", difficultyBits: 16, nonce: "9", ids: [], why: "the fifth byte is not read" },
  {
    hex: "ffff0000ff",
    difficultyBits: 16,
    nonce: "9",
    ids: ["word32-le"],
    why: "the first 4 bytes in reverse order",
  },
])("$hex at $difficultyBits bits and nonce $nonce: $ids ($why)", ({ hex, difficultyBits, nonce, ids }) => {
  expect(countingMistakes(bytesOf(hex), { difficultyBits, nonce }).map(({ id }) => id)).toEqual(ids);
});

test("a counting mistake has the probability of a chance match", () => {
  expect(countingMistakes(bytesOf(vector("14").digest), { difficultyBits: 6, nonce: "14" })).toMatchObject([
    { id: "lsb", chance: 1 / 64 },
  ]);
});

test.for([
  { text: " 0a0b\n", hex: "0a0b", ids: ["spaces"] },
  { text: "0x0a0b", hex: "0a0b", ids: ["0x-prefix"] },
  { text: "0A0b", hex: "0a0b", ids: ["upper-case-hex"] },
  { text: "0a0", hex: "0a", ids: ["odd-digits"] },
  { text: Buffer.from(correct, "hex").toString("base64"), hex: correct, ids: ["base64"] },
  { text: Buffer.from(correct, "hex").toString("base64url"), hex: correct, ids: ["base64"] },
])("$text is decoded with $ids", ({ text, hex, ids }) => {
  const { bytes, mistakes } = readWrittenDigest(text);
  expect(bytes).toEqual(bytesOf(hex));
  expect(mistakes.map(({ id }) => id)).toEqual(ids);
});

test.for([
  { hex: "0102030405060708", match: "shorter" },
  { hex: "0102030405060708090a", match: "same" },
  { hex: "0102030405060708090a0b", match: "longer" },
  { hex: "0a090807060504030201", match: "reversed" },
  { hex: "01020304050607", match: null },
  { hex: "0102030405060709", match: null },
])("$hex compared to 0102030405060708090a: $match", ({ hex, match }) => {
  expect(matchDigest(bytesOf(hex), bytesOf("0102030405060708090a"))).toBe(match);
});
