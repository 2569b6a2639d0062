import { type UnexpectedPage, unexpectedPages } from "../actors/chromium/unexpected-page.ts";
import { passwordOrigins } from "../actors/consent/sign-in-origins.ts";
import { type Check, restartsTarget } from "./check.ts";
import { createContinuity } from "../material/continuity.ts";
import { challengesAreIndependent } from "../material/challenges.ts";
import { clientsAreIndependent, grantsAreIndependent } from "../material/grants.ts";
import { type CheckResult, judge } from "./judge.ts";
import { interruptibleSolver } from "../pow/interruptible-solver.ts";
import { createSolver, type Solver } from "../pow/solver.ts";
import { withoutRepeatedDefects } from "./repeated-defects.ts";
import { type Concurrency, judgeInRounds, oneAtATime, type Rounds } from "./rounds.ts";
import type { Attempt } from "./settle.ts";
import { byWait, isOfProofs, startingOrder } from "./starting-order.ts";
import { watchCreations } from "../target/creations.ts";
import { type LeftBehind, tidyUp } from "./tidy-up.ts";
import { preflightFailure } from "../target/preflight.ts";
import { defaultBudget, type Profile } from "../target/profile.ts";
import { createEvidence, holdsDisturbed, holdsSpent } from "../target/evidence.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Expense } from "../target/budget.ts";
import type { KeptCredentials } from "../target/kept-credentials.ts";
import type { TargetProcess } from "../target/target-process.ts";
import { openTarget, type Target, type TargetRun } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";

export interface RunOptions {
  /** Called as each check is judged, in the order in which they finish. */
  onResult?: (result: CheckResult, progress: RunProgress) => void;
  onStart?: (check: Check) => void;
  /** Receives each exchange with all of its bodies, when it has ended; what is kept of it later may be less. */
  onExchange?: (exchange: Exchange) => void;
  /** Ends the run: what is under way becomes inconclusive, the rest is not begun. */
  signal?: AbortSignal;
  /** Begins no more checks; those under way are finished. */
  stop?: AbortSignal;
  /** Revoke and delete, when all is judged, what the run made. */
  tidyUp?: boolean;
  /** Send nothing that makes or changes anything; what needs it is blocked. */
  isReadOnly?: boolean;
  /** Clients and agents of earlier runs, and where those of this one are kept. */
  credentials?: KeptCredentials | undefined;
  /** The target, where mailproof has started it. */
  process?: TargetProcess | undefined;
  /** Shared by several runs, and closed by the caller. By default a run has one of its own. */
  solver?: Solver;
}

/** What a run has done so far. */
export interface RunProgress {
  /** In the order in which they were sent, those without an answer yet included. */
  readonly exchanges: readonly Exchange[];
  /** What the run left behind on the target. */
  readonly spent: Readonly<Record<Expense, number>>;
  readonly solver: { readonly tries: number; readonly busyMs: number; readonly cpuMs: number };
}

export interface RunOutcome extends RunProgress {
  readonly results: readonly CheckResult[];
  readonly interrupted: boolean;
  /** What kept answers of the target away in this run. */
  readonly disturbances: {
    /** Requests whose answer was lost or a gateway's. */
    readonly lost: number;
    /** What told of each restart of the target, one line each. */
    readonly restarts: readonly string[];
  };
  /** Where passwords of the profile's people were typed. */
  readonly passwordOrigins: readonly string[];
  /** Pages of sign-in or consent that the steps of the profile did not fit. */
  readonly unexpectedPages: readonly UnexpectedPage[];
  /** Why nothing was judged, when nothing that could be the service answered. */
  readonly notJudged?: string;
  /** What stays on the target, when the run tidied up. */
  readonly leftBehind?: LeftBehind;
}

/** One execution against one target, to which checks may come in several lots. */
export interface CheckRun {
  judge(checks: readonly Check[]): Promise<RunOutcome>;
  /**
   * Judges one check once more, with nothing beside it.
   *
   * @param isFresh - makes what checks share again, instead of using what is there
   */
  repeat(check: Check, isFresh: boolean): Promise<Attempt>;
  progress(): RunProgress;
  /** Revokes the grants of the run, and deletes its clients where the target offers it. */
  tidyUp(): Promise<LeftBehind>;
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
    const outcome = await run.judge(checks);
    return options.tidyUp ? { ...outcome, leftBehind: await run.tidyUp() } : outcome;
  } finally {
    await run.close();
  }
}

/**
 * Checks run side by side; those that wait in real time start first; those that move the target's clock run alone, after
 * the others and from the shortest wait to the longest; those that look at the whole run follow; those that restart the
 * target are last.
 */
export function openCheckRun(profile: Profile, options: RunOptions = {}): CheckRun {
  const { signal = new AbortController().signal, onResult, onStart, onExchange } = options;
  const noMore = options.stop === undefined ? signal : AbortSignal.any([signal, options.stop]);
  const solver = options.solver ?? createSolver();
  const creations = watchCreations(profile);
  const run = openTarget(profile, interruptibleSolver(solver, signal), signal, {
    isReadOnly: options.isReadOnly ?? false,
    process: options.process,
    credentials: options.credentials,
    onExchange(exchange) {
      creations.look(exchange);
      onExchange?.(exchange);
    },
  });
  const continuity = createContinuity(run);
  let preflight: Promise<string | undefined> | undefined;

  async function attempt(check: Check, place = 0): Promise<Attempt> {
    const { restarts } = continuity;
    const evidence = createEvidence();
    const result = await judge(check, run, profile, evidence, place);
    // A restart that loses state is what such a check looks for.
    if (restartsTarget(check)) return { result, isSound: true, wasRunDisturbed: false };
    const isDoubtful = ["fail", "warn", "inconclusive"].includes(result.verdict);
    if (isDoubtful) await continuity.look();
    const isSpoilt = result.isDisturbed === true || holdsDisturbed(evidence) || holdsSpent(evidence);
    const isSound = continuity.restarts === restarts && !(isDoubtful && isSpoilt);
    if (!isSound) run.refund(evidence);
    return { result, isSound, wasRunDisturbed: run.http.disturbances > 0 || continuity.restarts > 0 };
  }

  async function judgeInOrder(
    checks: readonly Check[],
    onSettled: (result: CheckResult) => void,
  ): Promise<void> {
    const rounds: Rounds = {
      attempt,
      beforeNextRound(attempts) {
        // Lost answers say nothing against what checks share; a violation or a refusal may come from it.
        if (!attempts.every(({ result }) => result.isDisturbed)) run.renewMaterial();
      },
      onStart: (check) => onStart?.(check),
      onSettled,
      signal: noMore,
    };
    const movesClock = (check: Check): boolean =>
      check.waitSeconds !== undefined && profile.clock !== undefined;
    const restarting = checks.filter(restartsTarget);
    const others = checks.filter((check) => !restartsTarget(check));
    const wholeRun = others.filter((check) => check.last === true && !exhaustsRegistrations(check));
    const beforeWaits = others.filter((check) => check.last === "before-waits");
    const concurrency = await concurrencyOf(run, checks, { ...options, profile });
    const isAlone = (check: Check): boolean =>
      movesClock(check) || (concurrency.needsOwnClients && usesOperatorsClient(check));
    const eachAlone = others.filter((check) => !check.last && isAlone(check));
    const together = others.filter((check) => !check.last && !isAlone(check));
    await judgeInRounds(startingOrder(together), concurrency, rounds);
    await judgeInRounds(beforeWaits, oneAtATime, rounds);
    await judgeInRounds(eachAlone.toSorted(byWait), oneAtATime, rounds);
    await judgeInRounds(wholeRun, oneAtATime, rounds);
    await judgeInRounds(restarting, oneAtATime, rounds);
    // A target that keeps count over a restart would refuse the clients that the checks before it register.
    await judgeInRounds(others.filter(exhaustsRegistrations), oneAtATime, rounds);
  }

  function progress(): RunProgress {
    const { tries, busyMs, cpuMs } = solver.stats();
    return { exchanges: run.http.exchanges, spent: { ...run.spent }, solver: { tries, busyMs, cpuMs } };
  }

  return {
    async judge(checks) {
      const results: CheckResult[] = [];
      preflight ??= preflightFailure(run);
      const notJudged = await preflight;
      if (notJudged === undefined) {
        // What the target knows before anything happened to it.
        await continuity.look();
        await judgeInOrder(checks, (result) => {
          results.push(result);
          onResult?.(result, progress());
        });
      }
      return {
        ...progress(),
        results: inOrder(withoutRepeatedDefects(results), checks),
        interrupted: noMore.aborted,
        disturbances: { lost: run.http.disturbances, restarts: continuity.notices },
        passwordOrigins: run.targetFor(createEvidence()).noted(passwordOrigins),
        unexpectedPages: run.targetFor(createEvidence()).noted(unexpectedPages),
        ...(notJudged !== undefined && { notJudged }),
      };
    },
    async repeat(check, isFresh) {
      if (isFresh) run.renewMaterial();
      return attempt(check);
    },
    progress,
    tidyUp: () =>
      tidyUp(run, creations.soFar(), (clientId) => options.credentials?.isKept(clientId) ?? false),
    async close() {
      await run.close();
      if (options.solver === undefined) await solver.close();
    },
  };
}

/** There is one, so that checks which use it cannot have clients of their own. */
function usesOperatorsClient({ unlockedBy }: Check): boolean {
  return unlockedBy === "operator_client" || unlockedBy === "operator_secret";
}

/** Whether a check registers clients until the target refuses. */
function exhaustsRegistrations(check: Check): boolean {
  return check.unlockedBy === "registration_limit";
}

// Each registers up to ten clients of its own, which a target is spared whose clients are kept from run to run, or whose
// profile allows fewer than usual.
const mostChecksWithOwnClients = 2;

/** How many checks can act at the same time without ending each other's grants and challenges. */
async function concurrencyOf(
  run: TargetRun,
  checks: readonly Check[],
  { profile, credentials }: Pick<RunOptions, "credentials"> & { profile: Profile },
): Promise<Concurrency> {
  const { concurrency } = profile.budget;
  if (checks.some(isOfProofs) && !(await areIndependent(run, challengesAreIndependent))) return oneAtATime;
  const needsGrants = profile.humans.length > 0 && checks.some(({ needs }) => needs.includes("human"));
  if (!needsGrants || (await areIndependent(run, grantsAreIndependent)))
    return { limit: concurrency, needsOwnClients: false };
  const canRegister =
    profile.clients.registration === "dynamic" &&
    profile.budget.registrations >= defaultBudget.registrations &&
    credentials === undefined;
  if (!canRegister || !(await areIndependent(run, clientsAreIndependent))) return oneAtATime;
  return { limit: Math.min(concurrency, mostChecksWithOwnClients), needsOwnClients: true };
}

async function areIndependent(run: TargetRun, probe: (target: Target) => Promise<boolean>): Promise<boolean> {
  try {
    return await probe(run.targetFor(createEvidence()));
  } catch (error) {
    if (error instanceof InconclusiveError || error instanceof BlockedError) {
      // What hinders this hinders the checks that need it, and each of them says so.
      return true;
    }
    throw error;
  }
}

function inOrder(results: readonly CheckResult[], checks: readonly Check[]): CheckResult[] {
  const position = new Map(checks.map((check, at) => [check.id, at]));
  return results.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
}
