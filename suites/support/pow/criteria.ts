import { countZeroBits, type Counting } from "./bit-counts.ts";
import type { Recipe } from "./recipes.ts";

/** A bound on the leading zero bits of a digest; `between` is inclusive. */
type Bound =
  | { kind: "at-least" | "exactly" | "fewer-than"; bits: number }
  | { kind: "between"; min: number; max: number };

/** A bound on one digest of a nonce: by default the document's digest, counted as the document does. */
export type Condition = Bound & { recipe?: Recipe; counting?: Counting };

/**
 * When a nonce is a hit. Plain data, because it crosses threads. All conditions must hold. They are tested in order: put the
 * one that fails most often first, because it saves computing the digests of the others.
 */
export type SearchCriterion = Condition | { all: readonly Condition[] };

/** @param digestOf - not called for the conditions after one that fails */
export function holds(criterion: SearchCriterion, digestOf: (recipe: Recipe) => Uint8Array): boolean {
  const conditions = "all" in criterion ? criterion.all : [criterion];
  return conditions.every((condition) => {
    const { recipe = "document", counting = "msb" } = condition;
    return isWithin(countZeroBits(digestOf(recipe), counting), condition);
  });
}

function isWithin(bits: number, bound: Bound): boolean {
  switch (bound.kind) {
    case "at-least":
      return bits >= bound.bits;
    case "exactly":
      return bits === bound.bits;
    case "fewer-than":
      return bits < bound.bits;
    case "between":
      return bits >= bound.min && bits <= bound.max;
  }
}

/**
 * The digest to compute next to decide whether the criterion holds.
 *
 * @returns null when the known digests decide it
 */
export function digestToDecide(
  criterion: SearchCriterion,
  known: ReadonlyMap<Recipe, Uint8Array>,
): Recipe | null {
  const conditions = "all" in criterion ? criterion.all : [criterion];
  for (const condition of conditions) {
    const { recipe = "document" } = condition;
    const digest = known.get(recipe);
    if (digest === undefined) return recipe;
    if (!holds(condition, () => digest)) return null;
  }
  return null;
}

/** Mean number of tries until a nonce satisfies the criterion; null when there is no simple formula. */
export function expectedTries(criterion: SearchCriterion): number | null {
  if ("all" in criterion) return null;
  const { counting = "msb" } = criterion;
  // These two round down, so some numbers of bits never occur.
  if (counting === "nibbles" || counting === "bytes") return null;
  const atLeast = (bits: number): number => 2 ** -bits;
  switch (criterion.kind) {
    case "at-least":
      return 1 / atLeast(criterion.bits);
    case "exactly":
      return 1 / (atLeast(criterion.bits) - atLeast(criterion.bits + 1));
    case "fewer-than":
      return 1 / (1 - atLeast(criterion.bits));
    case "between":
      return 1 / (atLeast(criterion.min) - atLeast(criterion.max + 1));
  }
}

/** For messages: `at least 10 zero bits (document, msb)`. */
export function describeCriterion(criterion: SearchCriterion): string {
  if ("all" in criterion) return criterion.all.map((condition) => describeCriterion(condition)).join(" and ");
  const { kind, recipe = "document", counting = "msb" } = criterion;
  const bits = kind === "between" ? `${criterion.min} to ${criterion.max}` : String(criterion.bits);
  return `${kind.replace("-", " ")} ${bits} zero bits (${recipe}, ${counting})`;
}
