import { chiSquareTail } from "./chi-square.ts";
import { expectedTries, shareWithin, triesForShare } from "./geometric-waits.ts";

/**
 * How long one search took that tried every nonce from the first and stopped at its first hit.
 *
 * Digests of different challenges are independent, whatever the target does with them. So a distribution of waits that is
 * not geometric means that the challenges were made to be solved early, or that the solver skips nonces. It says nothing
 * about which digests the target accepts; POW-17, POW-18 and POW-22 decide that.
 */
export interface ObservedWait {
  /** Leading zero bits that were required. */
  difficultyBits: number;
  /**
   * Tries up to and including the hit: counting from 0, the nonce plus one. Not the `tries` of a search hit, which include
   * the higher nonces that other threads tried meanwhile.
   */
  tries: number;
}

export interface TriesComparison {
  waits: number;
  observedTries: number;
  /** Sum of the means. */
  expectedTries: number;
  chiSquare: number;
  degreesOfFreedom: number;
  /** The probability that geometric waits deviate at least as much. */
  pValue: number;
  /** `pValue` is below {@link significanceLevel}. */
  isSignificant: boolean;
}

/** One in a thousand comparisons of geometric waits is a false alarm. */
export const significanceLevel = 0.001;

/** Quartiles: a difficulty that is one bit off moves about a quarter of all waits to another class. */
const classes = 4;

/** Cochran's rule for the chi-square approximation. */
const minExpectedInClass = 5;

/**
 * Pearson's chi-square test of waits against the geometric distributions of their difficulties. Each wait falls into one of
 * up to four classes bounded by the quartiles of its own distribution. The expected counts use exact probabilities, because
 * the quartiles of small difficulties are coarse. Classes that expect too few waits are merged with the next. When
 * difficulties are mixed, the p-value is an upper bound.
 *
 * @returns null when the waits are too few, or too easy, to fill two classes
 * @throws {RangeError} for an impossible wait: tries below 1 or not an integer, bits outside 0 to 512
 */
export function compareTries(waits: readonly ObservedWait[]): TriesComparison | null {
  for (const wait of waits) requirePossible(wait);
  const expected = Array.from({ length: classes }, () => 0);
  const observed = Array.from({ length: classes }, () => 0);
  for (const { difficultyBits, tries } of waits) {
    const bounds = Array.from({ length: classes - 1 }, (_, at) =>
      triesForShare(difficultyBits, (at + 1) / classes),
    );
    const shares = [0, ...bounds.map((bound) => shareWithin(difficultyBits, bound)), 1];
    for (let at = 0; at < classes; at++) {
      expected[at] = (expected[at] ?? 0) + (shares[at + 1] ?? 1) - (shares[at] ?? 0);
    }
    const found = bounds.findIndex((bound) => tries <= bound);
    const at = found === -1 ? classes - 1 : found;
    observed[at] = (observed[at] ?? 0) + 1;
  }
  const joined = mergeSparse(expected, observed);
  if (joined.length < 2) return null;
  const chiSquare = joined.reduce(
    (sum, cell) => sum + (cell.observed - cell.expected) ** 2 / cell.expected,
    0,
  );
  const degreesOfFreedom = joined.length - 1;
  const pValue = chiSquareTail(chiSquare, degreesOfFreedom);
  return {
    waits: waits.length,
    observedTries: waits.reduce((sum, { tries }) => sum + tries, 0),
    expectedTries: waits.reduce((sum, { difficultyBits }) => sum + expectedTries(difficultyBits), 0),
    chiSquare,
    degreesOfFreedom,
    pValue,
    isSignificant: pValue < significanceLevel,
  };
}

interface Cell {
  expected: number;
  observed: number;
}

/** Left to right; a remainder at the end is merged into the last full class. */
function mergeSparse(expected: readonly number[], observed: readonly number[]): Cell[] {
  const cells: Cell[] = [];
  let open: Cell = { expected: 0, observed: 0 };
  for (const [at, share] of expected.entries()) {
    open = { expected: open.expected + share, observed: open.observed + (observed[at] ?? 0) };
    if (open.expected < minExpectedInClass) continue;
    cells.push(open);
    open = { expected: 0, observed: 0 };
  }
  const last = cells.pop();
  if (last === undefined) return [];
  return [...cells, { expected: last.expected + open.expected, observed: last.observed + open.observed }];
}

function requirePossible({ difficultyBits, tries }: ObservedWait): void {
  if (!Number.isInteger(tries) || tries < 1) {
    throw new RangeError(`impossible wait of ${tries} tries: expected an integer of 1 or more`);
  }
  if (!Number.isInteger(difficultyBits) || difficultyBits < 0 || difficultyBits > 512) {
    throw new RangeError(
      `impossible difficulty of ${difficultyBits} bits: expected an integer from 0 to 512`,
    );
  }
}
