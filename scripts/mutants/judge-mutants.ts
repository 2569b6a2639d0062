import type { Check } from "../../suites/support/judging/check.ts";
import { forEachConcurrently } from "../../suites/support/judging/for-each-concurrently.ts";
import type { Task } from "./lane.ts";
import { type Lane, type LaneOutcome, openLane } from "./lanes.ts";
import type { MutantReach } from "./mutant-reach.ts";
import type { Mutant } from "./service-mutants.ts";

/** `not reached`: no check executes its code, so that none was run. */
export type MutantOutcome = LaneOutcome | { readonly how: "not reached" };

export interface JudgedMutant extends Mutant {
  readonly outcome: MutantOutcome;
  readonly durationMs: number;
}

interface MutantOptions {
  /** Child processes at the same time. */
  readonly lanes: number;
  /** Judge each mutant by all of these checks, and keep what they saw. */
  readonly isThorough?: true;
  readonly onJudged: (judged: JudgedMutant) => void;
}

/**
 * Judges each mutant by the checks that execute its code and those that look at the whole run, until the first of them fails
 * or warns.
 */
export async function judgeMutants(
  mutants: readonly Mutant[],
  checks: readonly Check[],
  reach: MutantReach,
  { lanes, isThorough, onJudged }: MutantOptions,
): Promise<void> {
  const free = Array.from({ length: lanes }, openLane);
  const all = [...free];
  try {
    await forEachConcurrently(mutants, lanes, async (mutant) => {
      const lane = free.pop();
      if (lane === undefined) throw new Error("there are more mutants at the same time than lanes");
      const startedAt = performance.now();
      const outcome = await judge(mutant, lane);
      onJudged({ ...mutant, outcome, durationMs: Math.round(performance.now() - startedAt) });
      free.push(lane);
    });
  } finally {
    for (const lane of all) lane.close();
  }

  async function judge({ id }: Mutant, lane: Lane): Promise<MutantOutcome> {
    const isStatic = reach.isStatic(id);
    const reached = new Set(reach.checksOf[id]);
    if (!isStatic && reached.size === 0) return { how: "not reached" };
    const toRun = checks.filter((check) => isStatic || reached.has(check.id) || check.last === true);
    const task: Task = {
      mutantId: id,
      checkIds: toRun.map((check) => check.id),
      undecidedAnyway: reach.undecided,
      hitLimit: 100 * reach.hits(id) + 10_000,
      ...(isThorough && { isThorough }),
    };
    return lane.judge(task, isStatic);
  }
}
