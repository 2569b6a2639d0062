import type { Check } from "./check.ts";
import type { CheckResult } from "./judge.ts";
import { type Attempt, settled, unsettled } from "./settle.ts";

/** How checks are judged until their verdicts stand. */
export interface Rounds {
  /** Judges one check once. */
  attempt(check: Check): Promise<Attempt>;
  /** Called before checks are judged once more, for what must be made anew. */
  beforeNextRound(attempts: readonly Attempt[]): void;
  onStart(check: Check): void;
  onSettled(result: CheckResult): void;
  readonly signal: AbortSignal;
}

const maxRounds = 5;

/**
 * Judges checks, and those again whose verdict a disturbance may have brought about, together and with fresh material, until
 * each verdict stands.
 *
 * @param limit - checks that act at the same time
 */
export async function judgeInRounds(
  checks: readonly Check[],
  limit: number,
  { attempt, beforeNextRound, onStart, onSettled, signal }: Rounds,
): Promise<void> {
  const attempts = new Map<Check, readonly Attempt[]>();
  let open = checks;
  for (let round = 1; open.length > 0 && !signal.aborted; round += 1) {
    const again: Check[] = [];
    if (round > 1) beforeNextRound(open.flatMap((check) => attempts.get(check)?.at(-1) ?? []));
    await inParallel(open, limit, async (check) => {
      if (signal.aborted) return;
      if (round === 1) onStart(check);
      const all = [...(attempts.get(check) ?? []), await attempt(check)];
      attempts.set(check, all);
      const result = settled(all) ?? (round === maxRounds || signal.aborted ? unsettled(all) : undefined);
      if (result === undefined) again.push(check);
      else onSettled(result);
    });
    open = again;
  }
  // Interrupted between two attempts.
  for (const check of open) {
    const all = attempts.get(check);
    if (all !== undefined) onSettled(unsettled(all));
  }
}

/** At most `limit` at a time; those that wait in real time do not take a place from the others. */
async function inParallel(
  checks: readonly Check[],
  limit: number,
  work: (check: Check) => Promise<void>,
): Promise<void> {
  const waiting = limit === 1 ? [] : checks.filter((check) => check.waitSeconds !== undefined);
  const queue = checks.filter((check) => !waiting.includes(check));
  const worker = async (): Promise<void> => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) await work(check);
  };
  await Promise.all([...waiting.map(work), ...Array.from({ length: limit }, worker)]);
}
