import type { History } from "./live.ts";
import type { Step } from "./model.ts";

/** A history that ends with an answer that the document does not allow. */
export type BrokenHistory = Required<History>;

/**
 * Takes out of a history what its end does not need. Each try is a history of its own on the target.
 *
 * @param mostTries - how many histories it may cost
 */
export async function shortened(
  found: BrokenHistory,
  relive: (steps: readonly Step[]) => Promise<History>,
  mostTries: number,
): Promise<BrokenHistory> {
  let best = found;
  let tries = 0;
  const tried = new Set<string>();

  async function isEnough(steps: readonly Step[]): Promise<boolean> {
    const key = JSON.stringify(steps);
    if (steps.length === 0 || tried.has(key) || tries === mostTries) return false;
    tried.add(key);
    tries += 1;
    const { contradiction, ...history } = await relive(steps);
    if (contradiction?.requirement !== best.contradiction.requirement) return false;
    best = { ...history, contradiction };
    return true;
  }

  await isEnough(stepsOfGrant(best.steps, best.contradiction.accessToken ?? best.contradiction.step));
  for (let at = best.steps.length - 2; at >= 0; at -= 1) {
    const [step, last] = [best.steps[at], best.steps.at(-1)];
    if (step === undefined) continue;
    const left = without(best.steps, step);
    if (left.at(-1)?.number === last?.number && (await isEnough(left)))
      at = Math.min(at, best.steps.length - 1);
  }
  for (const simpler of [plainConsent, firstPerson, publicClient]) await isEnough(best.steps.map(simpler));
  return best;
}

/** The step that authorized the grant of each step. */
export function grantsOfSteps(steps: readonly Step[]): ReadonlyMap<number, number> {
  const grants = new Map<number, number>();
  for (const step of steps) grants.set(step.number, grants.get(needOf(step) ?? 0) ?? step.number);
  return grants;
}

/** Those that are about the same grant as a step, and what they need. */
function stepsOfGrant(steps: readonly Step[], number: number): Step[] {
  const grants = grantsOfSteps(steps);
  return steps.filter((step) => grants.get(step.number) === grants.get(number));
}

/** What presented the tokens of a refresh that is gone presents those that it was made with. */
function without(steps: readonly Step[], gone: Step): Step[] {
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
  if (step.kind === "authorize") return undefined;
  return step.kind === "exchange" ? step.code : step.tokens;
}

function plainConsent(step: Step): Step {
  return step.kind === "authorize" ? { ...step, isNarrowed: false } : step;
}

function firstPerson(step: Step): Step {
  return step.kind === "authorize" ? { ...step, human: "first" } : step;
}

function publicClient(step: Step): Step {
  if (step.kind === "authorize") return { ...step, client: "public" };
  return "by" in step && step.by === "confidential" ? { ...step, by: "public" } : step;
}
