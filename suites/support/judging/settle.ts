import type { CheckResult } from "./judge.ts";

/** One time that a check was judged. */
export interface Attempt {
  readonly result: CheckResult;
  /** Nothing that the verdict rests on was lost, or came from a target that was restarted meanwhile. */
  readonly isSound: boolean;
  /** Something in the run was disturbed, so that what other checks left behind may have been spoilt. */
  readonly wasRunDisturbed: boolean;
}

/**
 * The verdict that all attempts at a check come to; undefined when it has to be judged once more, with fresh material. In an
 * undisturbed run the first attempt decides. Otherwise only a violation that repeats is one: a lost answer may have spoilt
 * what the check stands on without being part of its own evidence.
 *
 * @param attempts - at least one
 */
export function settled(attempts: readonly Attempt[]): CheckResult | undefined {
  const last = attempts.at(-1);
  if (last === undefined) throw new TypeError("expected at least one attempt");
  const { result, isSound, wasRunDisturbed } = last;
  if (!isSound) return undefined;
  const violations = attempts.filter((attempt) => isViolation(attempt.result));
  if (isViolation(result)) return violations.length > 1 || !wasRunDisturbed ? result : undefined;
  if (result.verdict === "blocked") return result;
  if (result.verdict === "inconclusive") return attempts.length > 1 || !wasRunDisturbed ? result : undefined;
  const contradicting = violations.find((attempt) => attempt.isSound);
  return contradicting === undefined ? result : contradicted(contradicting.result, attempts);
}

/** Once more decides, or nothing does. */
function contradicted(violation: CheckResult, attempts: readonly Attempt[]): CheckResult | undefined {
  const others = attempts.filter(({ result, isSound }) => isSound && !isViolation(result));
  return others.length > 1
    ? undecided(violation, `violated once, and not in ${others.length} more attempts: ${violation.reason}`)
    : undefined;
}

/** What is left to say when no more attempts are made. */
export function unsettled(attempts: readonly Attempt[]): CheckResult {
  const last = attempts.at(-1);
  if (last === undefined) throw new TypeError("expected at least one attempt");
  const { result } = last;
  const count = attempts.length === 1 ? "one attempt" : `each of ${attempts.length} attempts`;
  return undecided(
    result,
    `the network, a limit or a restart of the target disturbed ${count}: ${result.reason}`,
  );
}

function undecided(result: CheckResult, reason: string): CheckResult {
  const { expected: _expected, observed: _observed, explainedBy: _explainedBy, ...rest } = result;
  return { ...rest, verdict: "inconclusive", reason };
}

function isViolation({ verdict }: CheckResult): boolean {
  return verdict === "fail" || verdict === "warn";
}
