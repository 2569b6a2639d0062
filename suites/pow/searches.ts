import { type Challenge, type Proof, requestChallenge, saltOf } from "../support/actors/agent.ts";
import type { Counting } from "../support/pow/bit-counts.ts";
import type { Condition, SearchCriterion } from "../support/pow/criteria.ts";
import type { Recipe } from "../support/pow/recipes.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError } from "../support/verdict.ts";

export interface ProofSearch {
  readonly accept: SearchCriterion;
  /** Whose digest becomes powHex; the document's unless given. */
  readonly recipe?: Recipe;
  readonly from?: number | bigint;
  /** In place of the challenge's. */
  readonly salt?: string;
  readonly around?: { readonly prefix?: string; readonly suffix?: string };
  /** Binary logarithm of the expected evaluations. */
  readonly costBits: number;
}

/**
 * Looks for a proof that is right, or wrong in one chosen way.
 *
 * @throws {BlockedError} when the search costs more than a challenge of the profile's greatest difficulty may
 */
export async function findProof(target: Target, challenge: Challenge, search: ProofSearch): Promise<Proof> {
  const { costBits, salt, ...request } = search;
  const { max_difficulty: most } = target.profile.pow;
  if (costBits > most) {
    throw new BlockedError(
      `needs about ${2 ** costBits} scrypt evaluations at difficulty ${challenge.difficultyBits}; pow.max_difficulty in the profile allows ${2 ** most}`,
    );
  }
  const saltHexText = salt ?? saltOf(target, challenge);
  const { powHex, nonce } = await target.solver.search({ jti: challenge.jti, saltHexText, ...request });
  return { powHex, nonce };
}

/** Difficulties at which an experiment can show anything. */
export interface Difficulties {
  /** Reads after "a challenge". */
  readonly words: string;
  readonly suit: (bits: number) => boolean;
}

export const anyDifficulty: Difficulties = { words: "of any difficulty", suit: () => true };

export const someWork: Difficulties = { words: "that asks for work", suit: (bits) => bits >= 1 };

// In whole bytes the order of bits changes nothing.
export const bitOrderShows: Difficulties = {
  words: "whose difficulty is not a multiple of 8",
  suit: (bits) => bits % 8 !== 0,
};

const mostChallenges = 8;

/**
 * A fresh challenge with one of these difficulties, which may change from one challenge to the next.
 *
 * @throws {NotApplicableError} when those that the target chooses all ask for work and none suits, as where it never changes
 * @throws {BlockedError} when none of several challenges has one, and some ask for no work
 */
export async function challengeOf(target: Target, { words, suit }: Difficulties): Promise<Challenge> {
  const seen = new Set<number>();
  for (let drawn = 0; drawn < mostChallenges; drawn += 1) {
    const challenge = await requestChallenge(target.setup);
    if (suit(challenge.difficultyBits)) return challenge;
    seen.add(challenge.difficultyBits);
  }
  const message = `needs a challenge ${words}; ${mostChallenges} challenges had the difficulty ${[...seen].join(" or ")}`;
  throw [...seen].every(someWork.suit) ? new NotApplicableError(message) : new BlockedError(message);
}

/** Ways to count that an implementation could have in place of the document's. */
const mistakenCountings = ["lsb", "tail", "word32-le", "word64-le"] as const satisfies readonly Counting[];

/**
 * No way of counting finds enough zero bits, and the document's finds so few that rounding the difficulty down to whole
 * hexadecimal digits, or by one bit, does not let it pass either: one flaw at a time.
 */
export function tooFewBits(difficultyBits: number): readonly Condition[] {
  return [{ kind: "fewer-than", bits: farBelow(difficultyBits) }, ...fewInOtherCountings(difficultyBits)];
}

// Whole zero bytes look the same in every bit order, so the bound stays above them.
function farBelow(difficultyBits: number): number {
  const wholeBytes = 8 * Math.floor(difficultyBits / 8);
  const wholeDigits = 4 * Math.floor((difficultyBits - 1) / 4);
  return Math.min(difficultyBits, Math.max(wholeBytes + 1, wholeDigits));
}

/** Exactly so many zero bits, fewer than asked for, and too few in every other way of counting. */
export function onlyBits(bits: number, difficultyBits: number): SearchCriterion {
  return { all: [{ kind: "exactly", bits }, ...fewInOtherCountings(difficultyBits)] };
}

function fewInOtherCountings(difficultyBits: number): readonly Condition[] {
  return mistakenCountings.map((counting) => ({ kind: "fewer-than", bits: difficultyBits, counting }));
}

/** Enough zero bits in this mistaken way of counting, too few in every other. */
export function enoughOnlyAs(
  mistaken: (typeof mistakenCountings)[number],
  difficultyBits: number,
): SearchCriterion {
  const others = tooFewBits(difficultyBits).filter(({ counting }) => {
    // A little-endian word is part of the longer one, so the two cannot be told apart.
    return counting !== mistaken && !(mistaken.startsWith("word") && counting?.startsWith("word"));
  });
  return { all: [{ kind: "at-least", bits: difficultyBits, counting: mistaken }, ...others] };
}

/** Enough zero bits in the digest of a mistaken recipe, too few in the document's. */
export function enoughOnlyBy(recipe: Recipe, difficultyBits: number): SearchCriterion {
  const enough: Condition = { kind: "at-least", bits: difficultyBits, recipe };
  const tooFew = tooFewBits(difficultyBits);
  // What fails most often comes first. At 2 bits one digest in 6 has too few and one in 4 has enough; at 3, one in 3 and in 8.
  return { all: difficultyBits <= 2 ? [...tooFew, enough] : [enough, ...tooFew] };
}
