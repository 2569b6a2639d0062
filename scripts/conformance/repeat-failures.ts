import type { Reproduced } from "../../reports/reproduction.ts";
import { requirementOf } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { CheckRun } from "../../suites/support/judging/run.ts";

// Ten failures are enough to see whether a target is racy, and each repetition costs it clients and grants.
const mostRepeated = 10;
const firstTries = 3;
/** Of a failure that occurs at times. */
const mostTries = 10;
const mostMs = 60_000;

export interface Repeating {
  readonly run: Pick<CheckRun, "repeat">;
  readonly signal: AbortSignal;
  /** Whether the clock of the target can be moved, so that no check waits in real time. */
  readonly canMoveClock: boolean;
  onRepeated(result: CheckResult, reproduced: Reproduced): void;
}

/**
 * The failures that are worth repeating: the first of each requirement, since the others mostly have the same cause. Checks
 * that look at the whole run would look at the same again.
 */
export function worthRepeating(
  results: readonly CheckResult[],
  isKnown: (id: string) => boolean,
): CheckResult[] {
  const failed = results.filter(
    ({ id, verdict, check }) =>
      verdict === "fail" && !isKnown(id) && !check.last && check.unlockedBy !== "registration_limit",
  );
  const byRequirement = Map.groupBy(failed, ({ id }) => requirementOf(id));
  return [...byRequirement.values()].flatMap((group) => group.slice(0, 1)).slice(0, mostRepeated);
}

/**
 * Judges failures again, one at a time and with nothing beside them: three times, and ten times where they occur at times.
 * What could not be judged is not counted; a budget that is used up ends it.
 */
export async function repeatFailures(
  failures: readonly CheckResult[],
  { run, signal, canMoveClock, onRepeated }: Repeating,
): Promise<void> {
  const endMs = performance.now() + mostMs;
  for (const failure of failures) {
    const { check } = failure;
    const waitMs = canMoveClock ? 0 : (check.waitSeconds ?? 0) * 1000;
    const counted = { tried: 0, failed: 0 };
    let isBlocked = false;
    for (let attempts = 0; attempts < triesFor(counted); attempts += 1) {
      if (signal.aborted || performance.now() + waitMs >= endMs) break;
      const { result, isSound } = await run.repeat(check, attempts === 0);
      isBlocked = result.verdict === "blocked";
      if (isBlocked) break;
      if (!isSound || result.verdict === "inconclusive") continue;
      counted.tried += 1;
      if (result.verdict === "fail") counted.failed += 1;
    }
    if (counted.tried > 0) onRepeated(failure, counted);
    if (isBlocked || signal.aborted || performance.now() >= endMs) return;
  }
}

function triesFor({ tried, failed }: Reproduced): number {
  return failed > 0 && failed < tried ? mostTries : firstTries;
}
