import type { Unlock } from "../target/unlocks.ts";
import type { Target } from "../target/target.ts";
import type { Certainty, Growth, Warning } from "../verdict.ts";

/** What a check cannot do without and a profile may not supply. */
export type Need =
  /** A person who signs in and consents. */
  | "human"
  | "second-human"
  /** A first human whose consent driver records the pages in between; `command` and `manual` show only the final redirect. */
  | "pages";

/** What the three kinds of check have in common: one black-box experiment. */
interface Experiment<Evidence> {
  /** `<requirement>/<slug>`, or the requirement alone when it has one case. Permanent and never reused. */
  readonly id: string;
  readonly needs: readonly Need[];
  /** A key of the profile. Without it the check is left out of the run; an unmet need would report it as blocked. */
  readonly unlockedBy?: Unlock;
  /**
   * Seconds that must pass on the target's clock while the check acts, through `target.wait`. Such checks run alone
   * after the others when the clock can be moved, and first, beside the others, when they wait in real time.
   */
  readonly waitSeconds?: number;
  /**
   * Runs when every other check has finished, over what they left behind. `before-waits`: before the checks that move the
   * target's clock, so that what the others left has not expired.
   */
  readonly last?: true | "before-waits";
  /**
   * All the input and output, the control included. What it returns is judged, and the exchanges in it are the subject;
   * the control goes through `target.control`. If it returns no exchange, nothing was tried and the check is
   * `observed` in place of a pass; `last` ones judge the exchanges of others.
   *
   * @throws {InconclusiveError} when the experiment could not be made, as when the control was refused
   */
  act(target: Target): Promise<Evidence>;
}

/** A claim about the target. A violation fails a `check`, and warns for a `recommend`. */
export interface ClaimCheck<Evidence = unknown> extends Experiment<Evidence> {
  readonly kind: "check" | "recommend";
  /** One line, present tense, about the target; what `assert` tests, no looser and no stricter. */
  readonly claim: string;
  /**
   * Pure, over what `act` returned, so that it also runs on evidence from elsewhere.
   *
   * @throws {Violation} when the claim does not hold
   * @throws {InconclusiveError} when the evidence cannot tell
   */
  assert(evidence: Evidence): Warning | undefined;
  /** For a claim that samples decide: what its pass rests on. Pure. */
  certainty?(evidence: Evidence): Certainty;
}

/** A question that the document leaves open. It claims nothing, so it cannot fail. */
export interface ObserveCheck<Evidence = unknown> extends Experiment<Evidence> {
  readonly kind: "observe";
  readonly question: string;
  /** Pure: one line that answers the question. */
  answer(evidence: Evidence): string;
  /** Pure: for a question of how much was seen, how that grew. */
  growth?(evidence: Evidence): Growth;
}

/** One experiment that decides one requirement, or one named case of it. A value: registering and ordering are the runner's. */
export type Check<Evidence = unknown> = ClaimCheck<Evidence> | ObserveCheck<Evidence>;

interface ExperimentSpec<Evidence> {
  id: string;
  needs?: readonly Need[];
  unlockedBy?: Unlock;
  waitSeconds?: number;
  last?: true | "before-waits";
  act: (target: Target) => Promise<Evidence>;
}

interface ClaimSpec<Evidence> extends ExperimentSpec<Evidence> {
  claim: string;
  assert: (evidence: Evidence) => Warning | undefined | void;
  certainty?: (evidence: Evidence) => Certainty;
}

interface ObserveSpec<Evidence> extends ExperimentSpec<Evidence> {
  question: string;
  answer: (evidence: Evidence) => string;
  growth?: (evidence: Evidence) => Growth;
}

/** The document decides: the claim passes or fails, or passes with a warning where a deviation is tolerated. */
export function check<Evidence>(spec: ClaimSpec<Evidence>): ClaimCheck<Evidence> {
  return claimCheck("check", spec);
}

/** An RFC alone asks for it, or the document only recommends it: the claim passes or warns. */
export function recommend<Evidence>(spec: ClaimSpec<Evidence>): ClaimCheck<Evidence> {
  return claimCheck("recommend", spec);
}

/** The document is silent: what the target does is recorded. */
export function observe<Evidence>(spec: ObserveSpec<Evidence>): ObserveCheck<Evidence> {
  const { needs = [], ...rest } = spec;
  return { kind: "observe", ...rest, needs };
}

function claimCheck<Evidence>(kind: ClaimCheck["kind"], spec: ClaimSpec<Evidence>): ClaimCheck<Evidence> {
  const { assert, needs = [], ...rest } = spec;
  return { kind, ...rest, needs, assert: (evidence) => assert(evidence) ?? undefined };
}

/** The sentence that a check stands for: its claim or its question. */
export function sentenceOf(check: Check): string {
  return check.kind === "observe" ? check.question : check.claim;
}

/** The requirement that an id names: `REDIR-08/host-case` decides `REDIR-08`. */
export function requirementOf(checkId: string): string {
  return checkId.split("/", 1)[0] ?? checkId;
}

/** Whether a check restarts or kills the target, or one of its nodes: nothing else goes on meanwhile. */
export function restartsTarget({ unlockedBy }: Check): boolean {
  return (
    unlockedBy === "restart" || unlockedBy === "restart_with_dashboard" || unlockedBy === "kill_node_hook"
  );
}
