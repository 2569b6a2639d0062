import type { Exchange } from "../support/wire/exchange.ts";
import type { Step } from "./grants.ts";
import type { Contradiction } from "./contradiction.ts";

/** Steps that were taken, up to the first answer that the document does not allow. */
export interface History<Taken extends { readonly number: number } = Step> {
  readonly steps: readonly Taken[];
  readonly answers: readonly Exchange[];
  /** What each step was answered, as far as its answer says yes or no. */
  readonly outcomes?: Outcomes;
  readonly contradiction?: Contradiction;
}

/** By the number of the step: whether it was accepted. */
export type Outcomes = ReadonlyMap<number, boolean>;

/** A history that ends with an answer that the document does not allow. */
export type BrokenHistory<Taken extends { readonly number: number } = Step> = History<Taken> & {
  readonly contradiction: Contradiction;
};

/** How histories of a kind become shorter. */
export interface Shortening<Taken extends { readonly number: number }> {
  /** Those that may belong to the end of the history: what it is about, and what that needs. */
  relevant(broken: BrokenHistory<Taken>): readonly Taken[];
  /** The steps without one of them, and without those that cannot do without it. */
  without(steps: readonly Taken[], gone: Taken): readonly Taken[];
  /** Tried one after the other, each on all steps. */
  readonly simpler: readonly ((step: Taken) => Taken)[];
}

/**
 * Takes out of a history what its end does not need. Each try is a history of its own on the target.
 *
 * @param mostTries - how many histories it may cost
 */
export async function shortened<Taken extends { readonly number: number }>(
  found: BrokenHistory<Taken>,
  replayHistory: (steps: readonly Taken[]) => Promise<History<Taken>>,
  mostTries: number,
  { relevant, without, simpler }: Shortening<Taken>,
): Promise<BrokenHistory<Taken>> {
  let best = found;
  let tries = 0;
  const tried = new Set<string>();

  async function isEnough(steps: readonly Taken[]): Promise<boolean> {
    const key = JSON.stringify(steps);
    if (steps.length === 0 || tried.has(key) || tries === mostTries) return false;
    tried.add(key);
    tries += 1;
    const { contradiction, ...history } = await replayHistory(steps);
    if (contradiction?.requirement !== best.contradiction.requirement) return false;
    best = { ...history, contradiction };
    return true;
  }

  await isEnough(relevant(best));
  for (let at = best.steps.length - 2; at >= 0; at -= 1) {
    const [step, last] = [best.steps[at], best.steps.at(-1)];
    if (step === undefined) continue;
    const left = without(best.steps, step);
    if (left.at(-1)?.number === last?.number && (await isEnough(left)))
      at = Math.min(at, best.steps.length - 1);
  }
  for (const made of simpler) await isEnough(best.steps.map(made));
  return best;
}

export const shorteningOfGrants: Shortening<Step> = {
  relevant: ({ steps, contradiction: { accessToken, step } }) => stepsOfGrant(steps, accessToken ?? step),
  without: withoutStep,
  simpler: [plainConsent, firstPerson, publicClient, firstResource],
};

/** The step that authorized the grant of each step. */
export function grantsOfSteps(steps: readonly Step[]): ReadonlyMap<number, number> {
  const grants = new Map<number, number>();
  for (const step of steps) grants.set(step.number, grants.get(needOf(step) ?? 0) ?? step.number);
  return grants;
}

/** Those that are about the same grant as a step, and what they need. */
function stepsOfGrant(steps: readonly Step[], number: number): Step[] {
  const grants = grantsOfSteps(steps);
  return steps.filter(
    (step) =>
      step.kind === "wait" || step.kind === "restart" || grants.get(step.number) === grants.get(number),
  );
}

/** What presented the tokens of a refresh that is gone presents those that it was made with. */
function withoutStep(steps: readonly Step[], gone: Step): Step[] {
  const others = steps.filter(({ number }) => number !== gone.number);
  if (gone.kind === "refresh") return others.map((step) => relinked(step, gone.number, gone.tokens));
  const lost = new Set([gone.number]);
  return others.filter((step) => {
    if (!lost.has(needOf(step) ?? 0)) return true;
    lost.add(step.number);
    return false;
  });
}

function relinked(step: Step, from: number, to: number): Step {
  const namesIt = "tokens" in step && step.tokens === from;
  return namesIt ? { ...step, tokens: to } : step;
}

/** The step that issued what a step presents. */
function needOf(step: Step): number | undefined {
  if (step.kind === "exchange") return step.code;
  return "tokens" in step ? step.tokens : undefined;
}

function plainConsent(step: Step): Step {
  return step.kind === "authorize" ? { ...step, isNarrowed: false } : step;
}

function firstPerson(step: Step): Step {
  return step.kind === "authorize" || step.kind === "deny" ? { ...step, human: "first" } : step;
}

function firstResource(step: Step): Step {
  return step.kind === "authorize" ? { ...step, resource: "JMAP" } : step;
}

function publicClient(step: Step): Step {
  if (step.kind === "authorize" || step.kind === "deny") return { ...step, client: "public" };
  return "by" in step && step.by === "confidential" ? { ...step, by: "public" } : step;
}
