import { Violation } from "../verdict.ts";

/**
 * Judges, and names the check that judges the same defect by itself: where that one fails too, this one could not judge
 * what its own claim is about. An explanation that the violation already has is kept.
 *
 * @param explainedBy - id of a requirement or check; undefined for none
 * @throws {Violation} what `judge` throws, with the explanation
 */
export function explained<Result>(explainedBy: string | undefined, judge: () => Result): Result {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof Violation) || error.explainedBy !== undefined) throw error;
    const { expected, observed, exchange } = error;
    throw new Violation(expected, observed, { exchange, explainedBy });
  }
}
