import { countZeroBits, type Counting } from "./bit-counts.ts";
import { leadingZeroBits } from "./leading-zero-bits.ts";
import { type Recipe, recipeOverrides } from "./recipes.ts";
import type { PowInput, ScryptInput } from "./scrypt-digest.ts";

/** A known way to make another digest than the document's. */
export interface DigestMistake {
  id: string;
  /** What was done. */
  says: string;
  /** Only for nonces that are decimal integers, since it computes with them. */
  isNumeric?: true;
  overrides(input: PowInput): Partial<ScryptInput>;
}

const sayings: Record<Exclude<Recipe, "document">, string> = {
  "decoded-salt": "the salt was decoded from its hexadecimal text; the UTF-8 bytes of the text are hashed",
  "upper-salt": "the salt text was turned to upper case",
  "lower-salt": "the salt text was turned to lower case",
  "no-colon": "no separator between jti and nonce; it is a colon",
  "nonce-first": "wrong order: the nonce before the jti",
  "hex-nonce": "the nonce was hashed in hexadecimal; it is hashed in decimal",
  newline: "a newline after the nonce was hashed as well",
  pipe: "wrong separator: | in place of the colon",
  "upper-jti": "the jti was turned to upper case",
  "rounded-nonce": "the nonce was rounded to a floating-point number, exact only up to 2^53",
  "zero-padded-nonce": "a zero was put before the nonce",
  swapped: "password and salt were exchanged",
  "N=32768": "N is 32768; it is 16384",
  "r=16": "r is 16; it is 8",
  "p=2": "p is 2; it is 1",
};

const numericRecipes: ReadonlySet<string> = new Set(["hex-nonce", "rounded-nonce"]);

function isFlawedRecipe(name: string): name is keyof typeof sayings {
  return Object.hasOwn(sayings, name);
}

const ofRecipes = Object.keys(sayings)
  .filter(isFlawedRecipe)
  .map((recipe): DigestMistake => ({
    id: recipe,
    says: sayings[recipe],
    ...(numericRecipes.has(recipe) && { isNumeric: true }),
    overrides: (input) => recipeOverrides(recipe, input),
  }));

const ofSeparators = [".", "-", "_", " ", "/", ",", "::", ": "].map((separator): DigestMistake => ({
  id: `separator ${JSON.stringify(separator)}`,
  says: `wrong separator: ${JSON.stringify(separator)} in place of the colon`,
  overrides: ({ jti, nonce }) => ({ password: utf8(jti + separator + nonce) }),
}));

const ofNeighbours = [
  { id: "next-nonce", step: 1n, says: "the digest of the next nonce: nonce and digest of different turns" },
  {
    id: "previous-nonce",
    step: -1n,
    says: "the digest of the previous nonce: counted on before it was sent",
  },
].map(({ id, step, says }): DigestMistake => ({
  id,
  says,
  isNumeric: true,
  overrides: ({ jti, nonce }) => ({ password: utf8(`${jti}:${BigInt(nonce) + step}`) }),
}));

/** Costs that documentation, defaults and advice elsewhere make likely. */
const ofCosts = [
  { id: "N=1024", cost: { N: 1024 }, says: "N is 1024; it is 16384" },
  { id: "N=8192", cost: { N: 8192 }, says: "N is 8192; it is 16384" },
  { id: "N=65536", cost: { N: 65536 }, says: "N is 65536; it is 16384" },
  { id: "N=131072", cost: { N: 131072 }, says: "N is 131072; it is 16384" },
  { id: "r=1", cost: { r: 1 }, says: "r is 1; it is 8" },
  { id: "r=4", cost: { r: 4 }, says: "r is 4; it is 8" },
  { id: "p=4", cost: { p: 4 }, says: "p is 4; it is 1" },
].map(({ id, cost, says }): DigestMistake => ({ id, says, overrides: () => cost }));

/** Document, "Authentication", proof-of-work path 2, each statement of it got wrong; likely mistakes first. */
export const digestMistakes: readonly DigestMistake[] = [
  ...ofRecipes,
  ...ofNeighbours,
  ...ofSeparators,
  { id: "empty-salt", says: "no salt was hashed", overrides: () => ({ salt: new Uint8Array() }) },
  ...ofCosts,
];

/** A known way to count by which too few zero bits look like enough. */
export interface CountingMistake {
  id: Counting | "one-bit-short";
  says: string;
  /** How likely a random digest looks like enough to it. */
  chance: number;
}

const miscounts: readonly { counting: Counting; most: number; unit: number; says: string }[] = [
  { counting: "lsb", most: 512, unit: 1, says: "bits were counted least significant first within each byte" },
  { counting: "tail", most: 512, unit: 1, says: "little-endian: counted from the last byte of the digest" },
  {
    counting: "word32-le",
    most: 32,
    unit: 1,
    says: "the first 4 bytes were read as a little-endian integer",
  },
  {
    counting: "word64-le",
    most: 64,
    unit: 1,
    says: "the first 8 bytes were read as a little-endian integer",
  },
  {
    counting: "nibbles",
    most: 512,
    unit: 4,
    says: "the difficulty was rounded down to whole hexadecimal digits",
  },
  { counting: "bytes", most: 512, unit: 8, says: "the difficulty was rounded down to whole bytes" },
];

/**
 * The ways of counting that take the digest for good enough, though by the document it is not. A way that would take any
 * digest stops at nonce 0 and explains no other.
 *
 * @param digest - with fewer leading zero bits than `difficultyBits`
 */
export function countingMistakes(
  digest: Uint8Array,
  { difficultyBits, nonce }: { difficultyBits: number; nonce: string },
): CountingMistake[] {
  const found: CountingMistake[] = [];
  for (const { counting, most, unit, says } of miscounts) {
    const needed = difficultyBits - (difficultyBits % unit);
    const isPossible = needed <= most && (needed > 0 || nonce === "0");
    if (!isPossible || countZeroBits(digest, counting) < needed) continue;
    found.push({ id: counting, says, chance: 2 ** -needed });
  }
  const short = difficultyBits - 1;
  if (leadingZeroBits(digest) === short && (short > 0 || nonce === "0")) {
    found.push({ id: "one-bit-short", says: "one zero bit short: off by one", chance: 2 ** -short });
  }
  return found;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
