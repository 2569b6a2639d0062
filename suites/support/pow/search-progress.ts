import type { SearchCriterion } from "./criteria.ts";

/** Where a search is. Waiting for a digest has no memory: what has been tried does not shorten what is left. */
export interface SearchProgress {
  /** Nonces. */
  tries: number;
  elapsedMs: number;
  /** Of this search, over all threads, waiting for other searches included. */
  triesPerSecond: number;
  /** Mean of what is still to try, always the same; null when the criterion has several conditions. */
  expectedTries: number | null;
}

/** Mean number of nonces up to the first that satisfies one condition on evenly distributed bits; null for anything else. */
export function expectedTries(criterion: SearchCriterion): number | null {
  if ("all" in criterion) return null;
  const { counting = "msb" } = criterion;
  // These two round the count down, and reach some numbers of bits never.
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
