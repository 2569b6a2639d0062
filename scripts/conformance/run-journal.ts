import type { Expenses, JournalEntry, JournalStart, JudgedCheck } from "../../reports/journal-format.ts";
import type { RunExchange, RunLeftBehind, RunTargetFingerprint } from "../../reports/run-format.ts";

/** What a journal says about a run, whole or cut off. */
export interface RunJournal {
  readonly start: JournalStart;
  readonly fingerprint?: RunTargetFingerprint;
  /** In the order in which they were judged. */
  readonly checks: readonly JudgedCheck[];
  /** In the order in which they were sent. */
  readonly exchanges: readonly RunExchange[];
  readonly expenses: Expenses;
  readonly durationMs: number;
  /** False when the run was interrupted, or was cut off before it wrote its end. */
  readonly isComplete: boolean;
  readonly leftBehind?: RunLeftBehind;
}

/** @throws {TypeError} when the entries do not begin with a start */
export function runJournal(entries: readonly JournalEntry[]): RunJournal {
  const [start, ...others] = entries;
  if (start?.kind !== "start") throw new TypeError("a journal begins with the start of a run");
  const checks = new Map<string, JudgedCheck>();
  const exchanges = new Map<number, RunExchange>();
  let expenses: Expenses = { ledger: {}, proofOfWork: { tries: 0, busyMs: 0 } };
  let durationMs = 0;
  let isComplete = false;
  let leftBehind: RunLeftBehind | undefined;
  let fingerprint: RunTargetFingerprint | undefined;
  for (const entry of others) {
    switch (entry.kind) {
      case "start":
        throw new TypeError("a journal holds one run");
      case "fingerprint":
        ({ fingerprint } = entry);
        break;
      case "exchange":
        exchanges.set(entry.exchange.number, entry.exchange);
        break;
      case "check":
        checks.set(entry.check.id, entry.check);
        expenses = expensesOf(entry);
        durationMs = entry.atMs;
        break;
      case "end":
        expenses = expensesOf(entry);
        ({ durationMs, isComplete, leftBehind } = entry);
        break;
    }
  }
  return {
    start,
    ...(fingerprint && { fingerprint }),
    checks: [...checks.values()],
    exchanges: [...exchanges.values()].toSorted((a, b) => a.number - b.number),
    expenses,
    durationMs,
    isComplete,
    ...(leftBehind && { leftBehind }),
  };
}

function expensesOf({ ledger, proofOfWork }: Expenses): Expenses {
  return { ledger, proofOfWork };
}
