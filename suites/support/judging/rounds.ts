import type { Check } from "./check.ts";
import type { CheckResult } from "./judge.ts";
import { type Attempt, settled, unsettled } from "./settle.ts";

/** How checks are judged until their verdicts stand. */
export interface Rounds {
  /**
   * Judges one check once.
   *
   * @param place - which of the checks that act at the same time it is; always 0 where they share their clients
   */
  attempt(check: Check, place: number): Promise<Attempt>;
  /** Called before checks are judged once more, for what must be made again. */
  beforeNextRound(attempts: readonly Attempt[]): void;
  onStart(check: Check): void;
  onSettled(result: CheckResult): void;
  readonly signal: AbortSignal;
}

/** Checks that act at the same time. */
export interface Concurrency {
  readonly limit: number;
  /** What a check does with a client may spoil what another is doing with it. */
  readonly needsOwnClients: boolean;
}

export const oneAtATime: Concurrency = { limit: 1, needsOwnClients: false };

const maxRounds = 5;

/**
 * Judges checks, and those again whose verdict a disturbance may have brought about, together and with fresh material, until
 * each verdict stands.
 */
export async function judgeInRounds(
  checks: readonly Check[],
  concurrency: Concurrency,
  { attempt, beforeNextRound, onStart, onSettled, signal }: Rounds,
): Promise<void> {
  const attempts = new Map<Check, readonly Attempt[]>();
  let open = checks;
  for (let round = 1; open.length > 0 && !signal.aborted; round += 1) {
    const again: Check[] = [];
    if (round > 1) beforeNextRound(open.flatMap((check) => attempts.get(check)?.at(-1) ?? []));
    await inParallel(open, concurrency, async (check, place) => {
      if (signal.aborted) return;
      if (round === 1) onStart(check);
      const all = [...(attempts.get(check) ?? []), await attempt(check, place)];
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

/**
 * At most `limit` at a time. Those that wait in real time do not take a place from the others, unless each would need clients
 * of its own.
 */
async function inParallel(
  checks: readonly Check[],
  { limit, needsOwnClients }: Concurrency,
  work: (check: Check, place: number) => Promise<void>,
): Promise<void> {
  const waiting =
    limit === 1 || needsOwnClients ? [] : checks.filter((check) => check.waitSeconds !== undefined);
  const queue = checks.filter((check) => !waiting.includes(check));
  const worker = async (_: unknown, at: number): Promise<void> => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift())
      await work(check, needsOwnClients ? at : 0);
  };
  await Promise.all([...waiting.map((check) => work(check, 0)), ...Array.from({ length: limit }, worker)]);
}
