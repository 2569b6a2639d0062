import { scrypt as nobleScrypt } from "@noble/hashes/scrypt.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import vectors from "../../../fixtures/vectors/pow.json" with { type: "json" };
import { propertySettings } from "./property-settings.ts";
import { recipeOverrides, recipes, type Recipe } from "./recipes.ts";
import { documentInput, powDigest, powDigestSync } from "./scrypt-digest.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const anyInput = { jti: "", nonce: "", saltHexText: "" };

function isRecipe(name: string): name is Recipe {
  return Object.hasOwn(recipes, name);
}

test.for(vectors.scrypt)(
  "$source, $id: node:crypto and @noble/hashes give the digest",
  async ({ input, expected }) => {
    const { password, salt, ...cost } = input;
    const bytes = { password: Buffer.from(password), salt: Buffer.from(salt) };
    expect(hexOf(await powDigest(anyInput, { ...bytes, ...cost }))).toBe(expected.digest);
    expect(hexOf(nobleScrypt(bytes.password, bytes.salt, cost))).toBe(expected.digest);
  },
);

test.for(vectors.digests)("$id: $why", async ({ input, expected }) => {
  expect(hexOf(await powDigest(input))).toBe(expected.digest);
  const decoded = recipeOverrides("decoded-salt", input);
  expect(hexOf(await powDigest(input, decoded))).toBe(expected.decodedSaltDigest);
});

test.for(vectors.mistakes)("the mistake $id: $why", async ({ input, expected }) => {
  const name = input.recipe;
  if (!isRecipe(name)) throw new RangeError(`the vector names the recipe ${name}, which does not exist`);
  expect(hexOf(await powDigest(input, recipeOverrides(name, input))).slice(0, 32)).toBe(expected.digestStart);
});

test("every recipe except the document's changes the input of scrypt", () => {
  const input = { jti: "4f6a-b", nonce: "9007199254740993", saltHexText: "0aFf" };
  const document = documentInput(input);
  const unchanged = Object.keys(recipes).filter((name) => {
    const made = { ...document, ...(isRecipe(name) ? recipeOverrides(name, input) : {}) };
    return JSON.stringify(made) === JSON.stringify(document);
  });
  expect(unchanged).toEqual(["document"]);
});

test("32 bytes of output are a prefix of 64", () => {
  const input = { jti: "j", nonce: "0", saltHexText: "00" };
  const short = powDigestSync(input, { dkLen: 32 });
  expect(hexOf(powDigestSync(input)).startsWith(hexOf(short))).toBe(true);
});

test("for any text and cost, node:crypto and @noble/hashes agree on the digest of <jti>:<nonce>", () => {
  const hexText = fc.uint8Array({ minLength: 1, maxLength: 32 }).map(hexOf);
  const cost = fc.record({
    N: fc.constantFrom(2, 16, 64),
    r: fc.integer({ min: 1, max: 8 }),
    p: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.bigInt({ min: 0n }),
      hexText,
      cost,
      (jti, nonce, saltHexText, use) => {
        // @noble/hashes encodes text as UTF-8.
        const expected = nobleScrypt(`${jti}:${nonce}`, saltHexText, { ...use, dkLen: 64 });
        expect(hexOf(powDigestSync({ jti, nonce: String(nonce), saltHexText }, use))).toBe(hexOf(expected));
      },
    ),
    propertySettings,
  );
});
