import { digestToDecide, holds, type SearchCriterion } from "../criteria.ts";
import { leadingZeroBits } from "../leading-zero-bits.ts";
import { recipeOverrides, type Recipe } from "../recipes.ts";
import { documentInput, type ScryptInput } from "../scrypt-digest.ts";

/** What a search looks for. Plain data, because it crosses threads. */
export interface Wanted {
  jti: string;
  saltHexText: string;
  accept: SearchCriterion;
  /** Of which digest the hit carries the hexadecimal text. */
  recipe: Recipe;
}

/** A nonce with the digests of it that are known so far. */
export interface Candidate {
  nonce: string;
  known: Map<Recipe, Uint8Array>;
}

export interface Hit {
  nonce: string;
  powHex: string;
  /** Leading zero bits, as the document counts, of that digest. */
  bits: number;
}

/** @returns null when the nonce is decided, and a hit has the digest that it carries */
export function nextDigest({ accept, recipe }: Wanted, { known }: Candidate): Recipe | null {
  const toDecide = digestToDecide(accept, known);
  if (toDecide !== null) return toDecide;
  return isAccepted(accept, known) && !known.has(recipe) ? recipe : null;
}

export function inputOf({ jti, saltHexText }: Wanted, { nonce }: Candidate, recipe: Recipe): ScryptInput {
  const input = { jti, nonce, saltHexText };
  return { ...documentInput(input), ...recipeOverrides(recipe, input) };
}

export function hitOf({ accept, recipe }: Wanted, { nonce, known }: Candidate): Hit | null {
  const digest = known.get(recipe);
  if (digest === undefined || !isAccepted(accept, known)) return null;
  return { nonce, powHex: Buffer.from(digest).toString("hex"), bits: leadingZeroBits(digest) };
}

/** A digest that is not known was not needed: a condition before it failed. */
function isAccepted(accept: SearchCriterion, known: ReadonlyMap<Recipe, Uint8Array>): boolean {
  const conditions = "all" in accept ? accept.all : [accept];
  return conditions.every((condition) => {
    const digest = known.get(condition.recipe ?? "document");
    return digest !== undefined && holds(condition, () => digest);
  });
}
