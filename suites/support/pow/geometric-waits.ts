/**
 * How long a search for leading zero bits takes. Each digest is a hit with probability 2^-difficulty, independently of the
 * others, so the number of tries has a geometric distribution: memoryless, with a standard deviation about equal to its mean.
 */

/** Mean number of tries up to and including the first hit. */
export function expectedTries(difficultyBits: number): number {
  return 2 ** difficultyBits;
}

/** The number of tries within which this share of all searches ends. @param share - 0 to 1, exclusive */
export function triesForShare(difficultyBits: number, share: number): number {
  if (difficultyBits === 0) return 1;
  return Math.max(1, Math.ceil(Math.log1p(-share) / Math.log1p(-(2 ** -difficultyBits))));
}

/** The share of all searches that end within this many tries. */
export function shareWithin(difficultyBits: number, tries: number): number {
  if (tries <= 0) return 0;
  if (difficultyBits === 0) return 1;
  return -Math.expm1(tries * Math.log1p(-(2 ** -difficultyBits)));
}
