import { showsAnswers } from "../target/consent-settings.ts";
import {
  createEvidence,
  type Evidence,
  exchangesIn,
  type Role,
  type RoledExchange,
  withRoles,
} from "../target/evidence.ts";
import type { Profile } from "../target/profile.ts";
import type { Target, TargetRun } from "../target/target.ts";
import { unlocks, unlockWords } from "../target/unlocks.ts";
import {
  type Bar,
  BlockedError,
  type Certainty,
  type ExchangeReference,
  type Growth,
  InconclusiveError,
  NotApplicableError,
  type PlayableStory,
  type Verdict,
  Violation,
} from "../verdict.ts";
import { excerpt } from "../wire/excerpt.ts";
import { isDisturbance } from "../wire/disturbance.ts";
import type { Check } from "./check.ts";

/** One check with its verdict and evidence. */
export interface CheckResult {
  readonly id: string;
  readonly check: Check;
  readonly verdict: Verdict;
  /** Why, for every verdict but a plain pass; the answer of an observation. */
  readonly reason?: string;
  /** For a violation: the two sides of it. */
  readonly expected?: string;
  readonly observed?: string;
  /** What was observed as sentences that follow one another, where it is a story. */
  readonly steps?: readonly string[];
  /** The requests of that story that were under way at once, and what followed. */
  readonly bars?: readonly Bar[];
  /** That story as data. */
  readonly story?: PlayableStory;
  /** For an observation of how much was seen: how that grew. */
  readonly growth?: Growth;
  /** For a pass that rests on samples: how likely a defect would have shown. */
  readonly certainty?: Certainty;
  /** The check or requirement that judges by itself what stood in the way of this one. */
  readonly explainedBy?: string;
  /** The check itself broke: a defect of the suite, never the target's. */
  readonly defect?: true;
  /** The network or a gateway kept the answer away that the verdict needs. */
  readonly isDisturbed?: true;
  /** Number of the exchange that broke the claim or stood in the way. */
  readonly decisive?: number;
  readonly exchanges: readonly RoledExchange[];
  readonly durationMs: number;
}

interface Outcome extends Pick<
  CheckResult,
  | "verdict"
  | "reason"
  | "expected"
  | "observed"
  | "steps"
  | "bars"
  | "story"
  | "growth"
  | "certainty"
  | "explainedBy"
  | "defect"
  | "isDisturbed"
> {
  readonly decisive?: { readonly reference: ExchangeReference; readonly role?: Role };
}

/**
 * Runs one check against a target. Never throws: whatever happens is a verdict.
 *
 * @param evidence - receives what the check sends
 * @param place - which of the checks that act at the same time it is
 */
export async function judge(
  check: Check,
  run: TargetRun,
  profile: Profile,
  evidence: Evidence = createEvidence(),
  place = 0,
): Promise<CheckResult> {
  const startedAt = performance.now();
  const experiment: { judged?: unknown } = {};
  const { decisive, ...outcome } =
    unmet(check, profile) ?? (await tried(check, run.targetFor(evidence, check.id, place), experiment));
  const exchange = decisive && run.http.exchanges[decisive.reference.number];
  const subjects = exchangesIn(experiment.judged);
  const evidenceOf = ({ exchange: kept, role }: RoledExchange): RoledExchange => {
    const whole =
      outcome.expected !== undefined && role === "subject" ? subjects.get(kept.number) : undefined;
    return { exchange: whole === undefined ? kept : run.keepForViolation(whole), role };
  };
  return {
    id: check.id,
    check,
    ...outcome,
    ...textsOf(outcome),
    ...(exchange && { decisive: exchange.number }),
    exchanges: withRoles(evidence.entries(), {
      subjects,
      decisive: exchange && { exchange, ...(decisive.role && { role: decisive.role }) },
      isPass: outcome.verdict === "pass" || outcome.verdict === "observed",
    }).map(evidenceOf),
    durationMs: performance.now() - startedAt,
  };
}

// Targets give these texts some of their words.
const longestText = 4000;

function textsOf({ reason, expected, observed }: Outcome): Pick<Outcome, "reason" | "expected" | "observed"> {
  return {
    ...(reason !== undefined && { reason: excerpt(reason, longestText) }),
    ...(expected !== undefined && { expected: excerpt(expected, longestText) }),
    ...(observed !== undefined && { observed: excerpt(observed, longestText) }),
  };
}

/** @param experiment - receives what `act` returned */
async function tried(check: Check, target: Target, experiment: { judged?: unknown }): Promise<Outcome> {
  try {
    const judged = await check.act(target);
    experiment.judged = judged;
    return outcomeOf(check, judged);
  } catch (error) {
    return classify(check, error);
  }
}

function outcomeOf(check: Check, judged: unknown): Outcome {
  if (check.kind === "observe") {
    const growth = check.growth?.(judged);
    return { verdict: "observed", reason: check.answer(judged), ...(growth && { growth }) };
  }
  const warning = check.assert(judged);
  if (warning !== undefined) return { verdict: "warn", reason: warning.text };
  // Nothing was tried, so nothing holds: the target offers no way to, or refuses what the document lets it refuse.
  if (check.last !== true && exchangesIn(judged).size === 0)
    return {
      verdict: "observed",
      reason: "the target gave no opportunity to try this: there is no answer to judge",
    };
  const certainty = check.certainty?.(judged);
  return { verdict: "pass", ...(certainty && { certainty }) };
}

function classify(check: Check, error: unknown): Outcome {
  if (error instanceof Violation) {
    return {
      verdict: check.kind === "recommend" ? "warn" : "fail",
      reason: error.message,
      expected: error.expected,
      observed: error.observed,
      ...(error.steps && { steps: error.steps.map((step) => excerpt(step, longestText)) }),
      ...(error.bars && { bars: error.bars }),
      ...(error.story && { story: error.story }),
      ...(error.explainedBy !== undefined && { explainedBy: error.explainedBy }),
      ...(error.exchange && { decisive: { reference: error.exchange, role: "subject" } }),
    };
  }
  if (error instanceof InconclusiveError) {
    const { exchange, explainedBy, code } = error;
    return {
      verdict: "inconclusive",
      reason: error.message,
      ...(isDisturbance(error) && { isDisturbed: true }),
      ...(explainedBy !== undefined && { explainedBy }),
      ...(exchange && {
        decisive: { reference: exchange, ...(code === "control-refused" && { role: "control" }) },
      }),
    };
  }
  if (error instanceof NotApplicableError) return { verdict: "observed", reason: error.message };
  if (error instanceof BlockedError) return { verdict: "blocked", reason: error.message };
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { verdict: "inconclusive", reason: `a defect of the check itself: ${reason}`, defect: true };
}

function unmet(check: Check, profile: Profile): Outcome | undefined {
  const reason = missingNeed(check, profile);
  return reason === undefined ? undefined : { verdict: "blocked", reason };
}

function missingNeed(check: Check, profile: Profile): string | undefined {
  const { waitSeconds = 0, needs, unlockedBy } = check;
  const humans = profile.humans.length;
  if (unlockedBy !== undefined && !unlocks[unlockedBy].isGiven(profile))
    return `needs ${unlockWords(unlockedBy)}; give it in the profile`;
  if ((needs.includes("human") || needs.includes("second-human")) && humans < 1)
    return "needs a human; add one to humans in the profile";
  if (needs.includes("second-human") && humans < 2)
    return "needs a second human; add one to humans in the profile";
  const [first] = profile.humans;
  if (needs.includes("pages") && first !== undefined && !showsAnswers(first.consent))
    return `needs a consent driver that shows the answers on the way, form or browser; that of ${first.name} is ${first.consent.driver}`;
  if (waitSeconds > profile.patience_seconds && profile.clock === undefined) {
    return `needs ${waitSeconds} s to pass; give clock.advance_url in the profile, or a patience_seconds of ${waitSeconds}`;
  }
  return undefined;
}
