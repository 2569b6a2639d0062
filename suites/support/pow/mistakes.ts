import { countZeroBits, type Counting } from "./bit-counts.ts";
import { leadingZeroBits } from "./leading-zero-bits.ts";
import { type Recipe, recipeOverrides } from "./recipes.ts";
import type { PowInput, ScryptInput } from "./scrypt-digest.ts";

/** A known mistake in computing the digest. */
export interface DigestMistake {
  id: string;
  /** For a person, without a full stop. */
  description: string;
  /** It calculates with the nonce, so it does not apply to one that is not a decimal integer. */
  needsDecimalNonce?: true;
  overrides(input: PowInput): Partial<ScryptInput>;
}

const descriptions: Record<Exclude<Recipe, "document">, string> = {
  "decoded-salt": "the salt was decoded from hexadecimal; use the UTF-8 bytes of its text",
  "upper-salt": "the salt text was converted to upper case",
  "lower-salt": "the salt text was converted to lower case",
  "empty-salt": "the salt was empty; use the UTF-8 bytes of its text",
  "no-colon": "no separator between jti and nonce; use a colon",
  "nonce-first": "wrong order: the nonce came before the jti",
  "hex-nonce": "the nonce was written in hexadecimal; use decimal",
  newline: "a newline was appended to the nonce",
  pipe: "wrong separator: | instead of a colon",
  "upper-jti": "the jti was converted to upper case",
  "rounded-nonce": "the nonce was rounded to a floating-point number, which is exact only up to 2^53",
  "zero-padded-nonce": "the nonce was padded with a leading zero",
  swapped: "password and salt were swapped",
  "N=32768": "N was 32768; use 16384",
  "r=16": "r was 16; use 8",
  "p=2": "p was 2; use 1",
  "N=8192": "N was 8192; use 16384",
  "N=1024": "N was 1024; use 16384",
  "r=4": "r was 4; use 8",
};

const decimalNonceRecipes: ReadonlySet<string> = new Set(["hex-nonce", "rounded-nonce"]);

function isFlawedRecipe(name: string): name is keyof typeof descriptions {
  return Object.hasOwn(descriptions, name);
}

const recipeMistakes = Object.keys(descriptions)
  .filter(isFlawedRecipe)
  .map((recipe): DigestMistake => ({
    id: recipe,
    description: descriptions[recipe],
    ...(decimalNonceRecipes.has(recipe) && { needsDecimalNonce: true }),
    overrides: (input) => recipeOverrides(recipe, input),
  }));

const separatorMistakes = [".", "-", "_", " ", "/", ",", "::", ": "].map((separator): DigestMistake => ({
  id: `separator ${JSON.stringify(separator)}`,
  description: `wrong separator: ${JSON.stringify(separator)} instead of a colon`,
  overrides: ({ jti, nonce }) => ({ password: utf8(jti + separator + nonce) }),
}));

const neighbourMistakes = [
  {
    id: "next-nonce",
    step: 1n,
    description: "this is the digest of the next nonce: nonce and digest come from different iterations",
  },
  {
    id: "previous-nonce",
    step: -1n,
    description: "this is the digest of the previous nonce: the nonce was incremented before it was sent",
  },
].map(({ id, step, description }): DigestMistake => ({
  id,
  description,
  needsDecimalNonce: true,
  overrides: ({ jti, nonce }) => ({ password: utf8(`${jti}:${BigInt(nonce) + step}`) }),
}));

/** Cost parameters that are defaults or recommendations elsewhere. */
const costMistakes = [
  { id: "N=65536", cost: { N: 65536 }, description: "N was 65536; use 16384" },
  { id: "N=131072", cost: { N: 131072 }, description: "N was 131072; use 16384" },
  { id: "r=1", cost: { r: 1 }, description: "r was 1; use 8" },
  { id: "p=4", cost: { p: 4 }, description: "p was 4; use 1" },
].map(({ id, cost, description }): DigestMistake => ({ id, description, overrides: () => cost }));

/** Known misreadings of the document, "Authentication", proof-of-work path 2; likely ones first. */
export const digestMistakes: readonly DigestMistake[] = [
  ...recipeMistakes,
  ...neighbourMistakes,
  ...separatorMistakes,
  ...costMistakes,
];

/** A known mistake in counting zero bits that accepts too few of them. */
export interface CountingMistake {
  id: Counting | "one-bit-short";
  description: string;
  /** Probability that it accepts a random digest. */
  chance: number;
}

const wrongCountings: readonly { counting: Counting; maxBits: number; unit: number; description: string }[] =
  [
    {
      counting: "lsb",
      maxBits: 512,
      unit: 1,
      description: "bits were counted from the least significant bit of each byte",
    },
    {
      counting: "tail",
      maxBits: 512,
      unit: 1,
      description: "little-endian: bits were counted from the last byte of the digest",
    },
    {
      counting: "word32-le",
      maxBits: 32,
      unit: 1,
      description: "the first 4 bytes were read as a little-endian integer",
    },
    {
      counting: "word64-le",
      maxBits: 64,
      unit: 1,
      description: "the first 8 bytes were read as a little-endian integer",
    },
    {
      counting: "nibbles",
      maxBits: 512,
      unit: 4,
      description: "the difficulty was rounded down to whole hexadecimal digits",
    },
    {
      counting: "bytes",
      maxBits: 512,
      unit: 8,
      description: "the difficulty was rounded down to whole bytes",
    },
  ];

/**
 * The counting mistakes that accept this digest. A mistake that accepts every digest would have stopped at nonce 0, so it
 * explains no other nonce.
 *
 * @param digest - with fewer leading zero bits than `difficultyBits`
 */
export function countingMistakes(
  digest: Uint8Array,
  { difficultyBits, nonce }: { difficultyBits: number; nonce: string },
): CountingMistake[] {
  const found: CountingMistake[] = [];
  for (const { counting, maxBits, unit, description } of wrongCountings) {
    const needed = difficultyBits - (difficultyBits % unit);
    const isPossible = needed <= maxBits && (needed > 0 || nonce === "0");
    if (!isPossible || countZeroBits(digest, counting) < needed) continue;
    found.push({ id: counting, description, chance: 2 ** -needed });
  }
  const short = difficultyBits - 1;
  if (leadingZeroBits(digest) === short && (short > 0 || nonce === "0")) {
    found.push({
      id: "one-bit-short",
      description: "off by one: the digest is one zero bit short",
      chance: 2 ** -short,
    });
  }
  return found;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
