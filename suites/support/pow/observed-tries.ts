import { chiSquareTail } from "./chi-square.ts";
import { expectedTries, shareWithin, triesForShare } from "./geometric-waits.ts";

/**
 * One search that counted up without gaps and stopped at its first hit.
 *
 * Whose waits are unusual? Digests of different challenges are independent, whatever the target does with them, so waits
 * show two things: that the challenges were not made to be solved early or alike, and that the solver leaves no nonce
 * out. Which digests the target accepts they do not show; POW-17, POW-18 and POW-22 decide that exactly.
 */
export interface ObservedWait {
  /** Leading zero bits that were asked for. */
  difficultyBits: number;
  /**
   * Tries up to and including the hit: counting from 0, the nonce and one. Not the `tries` of a search hit, which
   * include what other threads had under way.
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
  /** How often honest waits would fit no better than these. */
  pValue: number;
  /** `pValue` is below {@link surprisingPValue}. */
  isSurprising: boolean;
}

/** Honest waits look surprising once in a thousand comparisons. */
export const surprisingPValue = 0.001;

/** Quarters: a difficulty that is one bit off moves about a quarter of all waits into another one. */
const classes = 4;

/** Cochran's rule for the chi-square approximation. */
const leastExpectedInClass = 5;

/**
 * Pearson's chi-square of waits against the geometric distribution of their difficulties. Each wait falls into one of up to
 * four classes bounded by the quartiles of its own distribution, with that distribution's exact probabilities, so small
 * difficulties, whose quartiles are coarse, are judged rightly. Classes that expect too few waits are joined with the next.
 * When difficulties are mixed the p-value is an upper bound: it errs towards unsurprising.
 *
 * @returns null when the waits are too few, or too easy, to fill two classes
 * @throws {RangeError} for a wait that cannot be: tries below 1 or not an integer, bits outside 0 to 512
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
  const joined = joinSparse(expected, observed);
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
    isSurprising: pValue < surprisingPValue,
  };
}

interface Cell {
  expected: number;
  observed: number;
}

/** Left to right; what is left over at the end joins the last full class. */
function joinSparse(expected: readonly number[], observed: readonly number[]): Cell[] {
  const cells: Cell[] = [];
  let open: Cell = { expected: 0, observed: 0 };
  for (const [at, share] of expected.entries()) {
    open = { expected: open.expected + share, observed: open.observed + (observed[at] ?? 0) };
    if (open.expected < leastExpectedInClass) continue;
    cells.push(open);
    open = { expected: 0, observed: 0 };
  }
  const last = cells.pop();
  if (last === undefined) return [];
  return [...cells, { expected: last.expected + open.expected, observed: last.observed + open.observed }];
}

function requirePossible({ difficultyBits, tries }: ObservedWait): void {
  if (!Number.isInteger(tries) || tries < 1) {
    throw new RangeError(`a wait of ${tries} tries cannot be: expected an integer of 1 or more`);
  }
  if (!Number.isInteger(difficultyBits) || difficultyBits < 0 || difficultyBits > 512) {
    throw new RangeError(`a difficulty of ${difficultyBits} cannot be: expected an integer of 0 to 512 bits`);
  }
}
