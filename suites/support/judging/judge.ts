import type { Check } from "./check.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Profile } from "../target/profile.ts";
import type { TargetRun } from "../target/target.ts";
import { BlockedError, InconclusiveError, type Verdict, Violation } from "../verdict.ts";

/** One check with its verdict and evidence. */
export interface CheckResult {
  readonly id: string;
  readonly claim: string;
  readonly verdict: Verdict;
  /** Why, for every verdict but a plain pass; the recorded value of an observation. */
  readonly reason?: string;
  /** For a violation: the two sides of it. */
  readonly expected?: string;
  readonly observed?: string;
  /** The check itself broke: a defect of the suite, never the target's. */
  readonly defect?: true;
  readonly exchanges: readonly Exchange[];
  readonly durationMs: number;
}

type Outcome = Pick<CheckResult, "verdict" | "reason" | "expected" | "observed" | "defect">;

/** Runs one check against a target. Never throws: whatever happens is a verdict. */
export async function judge(check: Check, run: TargetRun, profile: Profile): Promise<CheckResult> {
  const exchanges: Exchange[] = [];
  const startedAt = performance.now();
  const outcome = unmet(check, profile) ?? (await experiment(check, run, exchanges));
  return {
    id: check.id,
    claim: check.claim,
    ...outcome,
    exchanges,
    durationMs: performance.now() - startedAt,
  };
}

async function experiment(check: Check, run: TargetRun, exchanges: Exchange[]): Promise<Outcome> {
  try {
    const finding = check.assert(await check.act(run.targetFor(exchanges)));
    if (finding === undefined) return { verdict: "pass" };
    return finding.kind === "warning"
      ? { verdict: "warn", reason: finding.text }
      : { verdict: "observed", reason: finding.value };
  } catch (error) {
    return classify(error);
  }
}

function classify(error: unknown): Outcome {
  if (error instanceof Violation) {
    return { verdict: "fail", reason: error.message, expected: error.expected, observed: error.observed };
  }
  if (error instanceof InconclusiveError) return { verdict: "inconclusive", reason: error.message };
  if (error instanceof BlockedError) return { verdict: "blocked", reason: error.message };
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { verdict: "inconclusive", reason: `a defect of the check itself: ${reason}`, defect: true };
}

function unmet(check: Check, profile: Profile): Outcome | undefined {
  const reason = missingNeed(check, profile);
  return reason === undefined ? undefined : { verdict: "blocked", reason };
}

function missingNeed(check: Check, profile: Profile): string | undefined {
  const { waitSeconds = 0, needs } = check;
  if (needs.includes("human") && profile.humans.length === 0)
    return "needs a human; add one to humans in the profile";
  if ((needs.includes("second-human") || needs.includes("second-inbox")) && profile.humans.length < 1)
    return "needs a human; add one to humans in the profile";
  if (needs.includes("second-human") && profile.humans.length < 2)
    return "needs a second human; add one to humans in the profile";
  if (waitSeconds > profile.patience_seconds && profile.clock === undefined) {
    return `needs ${waitSeconds} s to pass; give clock.advance_url in the profile, or a patience_seconds of ${waitSeconds}`;
  }
  return undefined;
}
