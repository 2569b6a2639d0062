import { passwordOrigins } from "../actors/consent/browser.ts";
import { type Check, requirementOf } from "./check.ts";
import { grantsStandApart } from "../material/grants.ts";
import { type CheckResult, judge } from "./judge.ts";
import { interruptibleSolver } from "../pow/interruptible-solver.ts";
import { createSolver } from "../pow/solver.ts";
import { preflightFailure } from "../target/preflight.ts";
import type { Profile } from "../target/profile.ts";
import { createEvidence } from "../target/evidence.ts";
import { type Expense, openTarget, type TargetRun } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import type { Exchange } from "../wire/exchange.ts";

export interface RunOptions {
  /** Called as each check is judged, in the order in which they finish. */
  onResult?: (result: CheckResult, progress: RunProgress) => void;
  onStart?: (check: Check) => void;
  /** Receives each exchange with all of its bodies, when it has ended; what is kept of it later may be less. */
  onExchange?: (exchange: Exchange) => void;
  /** Ends the run: what is under way becomes inconclusive, the rest is not begun. */
  signal?: AbortSignal;
  /** Checks that act at the same time. */
  concurrency?: number;
}

/** What a run has done so far. */
export interface RunProgress {
  /** In the order in which they were sent, those without an answer yet included. */
  readonly exchanges: readonly Exchange[];
  /** What the run left behind on the target. */
  readonly spent: Readonly<Record<Expense, number>>;
  readonly solver: { readonly tries: number; readonly busyMs: number };
}

export interface RunOutcome extends RunProgress {
  readonly results: readonly CheckResult[];
  readonly interrupted: boolean;
  /** Where passwords of the profile's people were typed. */
  readonly passwordOrigins: readonly string[];
  /** Why nothing was judged, when nothing that could be the service answered. */
  readonly notJudged?: string;
}

const defaultConcurrency = 12;

/** One execution against one target, to which checks may come in several lots. */
export interface CheckRun {
  judge(checks: readonly Check[]): Promise<RunOutcome>;
  close(): Promise<void>;
}

/** Judges a target with these checks. */
export async function runChecks(
  checks: readonly Check[],
  profile: Profile,
  options: RunOptions = {},
): Promise<RunOutcome> {
  const run = openCheckRun(profile, options);
  try {
    return await run.judge(checks);
  } finally {
    await run.close();
  }
}

/**
 * Checks run side by side; those that wait in real time start first; those that move the target's clock run alone, after
 * the others and from the shortest wait to the longest; those that look at the whole run are last.
 */
export function openCheckRun(profile: Profile, options: RunOptions = {}): CheckRun {
  const {
    signal = new AbortController().signal,
    concurrency = defaultConcurrency,
    onResult,
    onStart,
    onExchange,
  } = options;
  const solver = createSolver();
  const run = openTarget(profile, interruptibleSolver(solver, signal), signal, onExchange);
  let preflight: Promise<string | undefined> | undefined;

  async function judgeInOrder(checks: readonly Check[], one: (check: Check) => Promise<void>): Promise<void> {
    const movesClock = (check: Check): boolean =>
      check.waitSeconds !== undefined && profile.clock !== undefined;
    const wholeRun = checks.filter((check) => check.last);
    const alone = checks.filter((check) => !check.last && movesClock(check));
    const together = checks.filter((check) => !check.last && !movesClock(check));
    const canRunConcurrently =
      !checks.some(({ needs }) => needs.includes("human")) || (await haveSeparateGrants(run, profile));
    await inParallel(together.toSorted(byWait).toReversed(), canRunConcurrently ? concurrency : 1, one);
    await inParallel(alone.toSorted(byWait), 1, one);
    await inParallel(wholeRun, 1, one);
  }

  function progress(): RunProgress {
    const { tries, busyMs } = solver.stats();
    return { exchanges: run.http.exchanges, spent: { ...run.spent }, solver: { tries, busyMs } };
  }

  return {
    async judge(checks) {
      const results: CheckResult[] = [];
      preflight ??= preflightFailure(run, profile);
      const notJudged = await preflight;
      if (notJudged === undefined) {
        await judgeInOrder(checks, async (check) => {
          if (signal.aborted) return;
          onStart?.(check);
          const result = await judge(check, run, profile);
          results.push(result);
          onResult?.(result, progress());
        });
      }
      return {
        ...progress(),
        results: inOrder(withoutRepeatedDefects(results), checks),
        interrupted: signal.aborted,
        passwordOrigins: run.targetFor(createEvidence()).noted(passwordOrigins),
        ...(notJudged !== undefined && { notJudged }),
      };
    },
    async close() {
      await run.close();
      await solver.close();
    },
  };
}

function byWait(a: Check, b: Check): number {
  return (a.waitSeconds ?? 0) - (b.waitSeconds ?? 0);
}

async function haveSeparateGrants(run: TargetRun, profile: Profile): Promise<boolean> {
  if (profile.humans.length === 0) return true;
  try {
    return await grantsStandApart(run.targetFor(createEvidence()));
  } catch (error) {
    if (error instanceof InconclusiveError || error instanceof BlockedError) {
      // What hinders this hinders the checks that need a grant, and each of them says so.
      return true;
    }
    throw error;
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

/** The results with what {@link repeatedDefects} names as inconclusive. */
export function withoutRepeatedDefects(results: readonly CheckResult[]): CheckResult[] {
  const repeated = repeatedDefects(results);
  return results.map((result): CheckResult => {
    if (!repeated.has(result.id)) return result;
    const { expected: _expected, observed: _observed, ...rest } = result;
    return { ...rest, verdict: "inconclusive" };
  });
}

type Explained = Pick<CheckResult, "id" | "verdict" | "explainedBy">;

/**
 * Ids of violations that another check judges by itself, and that fails there too: each is one defect seen twice, and the
 * check could not judge what its own claim is about. An explanation by a requirement means its checks, but none of the
 * check's own.
 */
export function repeatedDefects(results: readonly Explained[]): ReadonlySet<string> {
  const failed = results.filter(({ verdict }) => verdict === "fail");
  const explains = ({ id, explainedBy }: Explained, other: Explained): boolean =>
    other.id !== id &&
    (other.id === explainedBy ||
      (requirementOf(other.id) === explainedBy && requirementOf(id) !== explainedBy));
  const explanations = new Map(
    failed.map((result) => [result.id, failed.filter((other) => explains(result, other))]),
  );
  // What explains the others in the end has no explanation itself. Checks that explain each other explain nothing: a
  // violation must never be lost.
  const roots = new Set(failed.map(({ id }) => id).filter((id) => explanations.get(id)?.length === 0));
  const settled = new Set(roots);
  let before = -1;
  while (before < settled.size) {
    before = settled.size;
    for (const [id, by] of explanations) if (by.some((other) => settled.has(other.id))) settled.add(id);
  }
  return new Set([...settled].filter((id) => !roots.has(id)));
}

function inOrder(results: readonly CheckResult[], checks: readonly Check[]): CheckResult[] {
  const position = new Map(checks.map((check, at) => [check.id, at]));
  return results.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
}
