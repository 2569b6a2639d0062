import { digestToDecide, holds, type SearchCriterion } from "../criteria.ts";
import { leadingZeroBits } from "../leading-zero-bits.ts";
import { recipeOverrides, type Recipe } from "../recipes.ts";
import { documentInput, type ScryptInput } from "../scrypt-digest.ts";

/** What a search looks for. Plain data, because it crosses threads. */
export interface SearchGoal {
  jti: string;
  saltHexText: string;
  accept: SearchCriterion;
  /** The digest that the hit reports. */
  recipe: Recipe;
}

/** A nonce, with those of its digests that have been computed. */
export interface Candidate {
  nonce: string;
  known: Map<Recipe, Uint8Array>;
}

export interface Hit {
  nonce: string;
  powHex: string;
  /** Leading zero bits of that digest, as the document counts them. */
  bits: number;
}

/** @returns null when the nonce is decided; for a hit, once the digest that it reports is known as well */
export function nextDigest({ accept, recipe }: SearchGoal, { known }: Candidate): Recipe | null {
  const toDecide = digestToDecide(accept, known);
  if (toDecide !== null) return toDecide;
  return isAccepted(accept, known) && !known.has(recipe) ? recipe : null;
}

export function inputOf({ jti, saltHexText }: SearchGoal, { nonce }: Candidate, recipe: Recipe): ScryptInput {
  const input = { jti, nonce, saltHexText };
  return { ...documentInput(input), ...recipeOverrides(recipe, input) };
}

export function hitOf({ accept, recipe }: SearchGoal, { nonce, known }: Candidate): Hit | null {
  const digest = known.get(recipe);
  if (digest === undefined || !isAccepted(accept, known)) return null;
  return { nonce, powHex: Buffer.from(digest).toString("hex"), bits: leadingZeroBits(digest) };
}

/** A digest that is unknown was not needed, because an earlier condition failed. */
function isAccepted(accept: SearchCriterion, known: ReadonlyMap<Recipe, Uint8Array>): boolean {
  const conditions = "all" in accept ? accept.all : [accept];
  return conditions.every((condition) => {
    const digest = known.get(condition.recipe ?? "document");
    return digest !== undefined && holds(condition, () => digest);
  });
}
