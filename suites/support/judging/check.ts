import type { Target } from "../target/target.ts";
import type { Finding } from "../verdict.ts";

/** What a check cannot do without and a profile may not supply. */
export type Need =
  /** A person who signs in and consents. */
  | "human"
  | "second-human"
  /** The first human owns two inboxes or more. */
  | "second-inbox"
  /** The scrypt salt is known and the difficulty within `pow.maxDifficulty`. */
  | "pow";

/**
 * One black-box experiment that decides one requirement, or one named case of it. A value: registering, ordering and
 * judging are the runner's.
 */
export interface Check<Evidence = unknown> {
  /** `<requirement>/<slug>`, or the requirement alone when it has one case. Permanent and never reused. */
  readonly id: string;
  /** One line, present tense, about the target; what `assert` tests, no looser and no stricter. */
  readonly claim: string;
  readonly needs: readonly Need[];
  /**
   * Seconds that must pass on the target's clock while the check acts, through `target.wait`. Such checks run alone
   * after the others when the clock can be moved, and first, beside the others, when they wait in real time.
   */
  readonly waitSeconds?: number;
  /** Runs when every other check has finished, over what they left behind. */
  readonly last?: true;
  /**
   * All the input and output, the control included.
   *
   * @throws {InconclusiveError} when the experiment could not be made, as when the control was refused
   */
  act(target: Target): Promise<Evidence>;
  /**
   * Pure, over what `act` returned, so that it also runs on evidence from elsewhere.
   *
   * @throws {Violation} when the claim does not hold
   */
  assert(evidence: Evidence): Finding | undefined;
}

interface CheckSpec<Evidence> {
  id: string;
  claim: string;
  needs?: readonly Need[];
  waitSeconds?: number;
  last?: true;
  act: (target: Target) => Promise<Evidence>;
  assert: (evidence: Evidence) => Finding | undefined | void;
}

export function check<Evidence>(spec: CheckSpec<Evidence>): Check<Evidence> {
  const { assert, needs = [], ...rest } = spec;
  return { ...rest, needs, assert: (evidence) => assert(evidence) ?? undefined };
}

/** The requirement that an id names: `REDIR-08/host-case` decides `REDIR-08`. */
export function requirementOf(checkId: string): string {
  return checkId.split("/", 1)[0] ?? checkId;
}
