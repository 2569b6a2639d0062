import type { Fault } from "../../fixtures/faults/fault.ts";
import type { AnyStep, StepEdit } from "../../fixtures/service/flow.ts";
import { flows } from "../../fixtures/service/flows.ts";
import { defaultRules, type Rules } from "../../fixtures/service/rules.ts";
import { createMemoryStore } from "../../fixtures/service/store/memory/memory-store.ts";
import type { Store } from "../../fixtures/service/store/store.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { type CheckContext, followChecks } from "./check-context.ts";
import { judgeService } from "./judge-service.ts";

/**
 * Which checks come to a rule, a step or a verb of the store, by its name: `rule:codeExpiresAt`, `step:12:signIn`,
 * `verb:grants.redeemCode`. What no check comes to is missing.
 */
export type Reach = Readonly<Record<string, readonly string[]>>;

const allSteps: readonly AnyStep[] = [...new Set(flows.flatMap(({ steps }) => steps))];

/** Steps may have the same name, so the place in the list is part of it. */
function stepName(step: AnyStep): string {
  return `step:${allSteps.indexOf(step)}:${step.name}`;
}

/** Judges the reference service once and notes which check comes where. Code that runs before any check counts for all. */
export async function measureReach(checks: readonly Check[]): Promise<Reach> {
  const context = followChecks();
  const reachedBy = new Map<string, Set<string>>();
  let isStarted = false;
  const note = (place: string): void => {
    const name = isStarted ? context.current() : atStart;
    if (name !== undefined) reachedBy.set(place, (reachedBy.get(place) ?? new Set()).add(name));
  };
  try {
    const followed = checks.map((check) => context.followed(check));
    await judgeService(
      {
        rules: noting(defaultRules, (name) => note(`rule:${name}`)) as Rules,
        steps: allSteps.map((step) => notingStep(step, () => note(stepName(step)))),
        store: notingStore(createMemoryStore(), (verb) => note(`verb:${verb}`)),
        onStarted: () => (isStarted = true),
      },
      followed,
    );
    return reachOf(reachedBy, checks, context);
  } finally {
    context.stop();
  }
}

/** What code runs for before the first check. */
export const atStart = "the start of the service";

/** @param reachedBy - place → for what it was run: a check, material that checks share, or the start of the service */
export function reachOf(
  reachedBy: ReadonlyMap<string, ReadonlySet<string>>,
  checks: readonly Check[],
  context: CheckContext,
): Reach {
  const causes = new Map(checks.map(({ id }) => [id, context.causesOf(id)]));
  const isReachedBy = (names: ReadonlySet<string>, id: string): boolean =>
    names.has(atStart) || [...(causes.get(id) ?? [])].some((cause) => names.has(cause));
  return Object.fromEntries(
    [...reachedBy].map(([place, names]) => [
      place,
      checks.filter(({ id }) => isReachedBy(names, id)).map(({ id }) => id),
    ]),
  );
}

/** The checks that a defect can reach, and those that look at the whole run. */
export function checksInReach(
  fault: Pick<Fault, "rules" | "steps" | "store">,
  checks: readonly Check[],
  reach: Reach,
): readonly Check[] {
  const places = [
    ...Object.keys(fault.rules ?? {}).map((name) => `rule:${name}`),
    ...(fault.steps ?? []).flatMap(placesOf),
    ...(fault.store?.verbs ?? []).map((name) => `verb:${name}`),
  ];
  const reached = new Set(places.flatMap((place) => reach[place] ?? []));
  return checks.filter(({ id, last }) => last === true || reached.has(id));
}

function placesOf({ target, changes }: StepEdit): readonly string[] {
  if (changes === "step") return [stepName(target)];
  return flows.filter(({ steps }) => steps.includes(target)).flatMap(({ steps }) => steps.map(stepName));
}

type Callable = (...args: never[]) => unknown;

/** The same functions, each telling its name before it runs. */
function noting(functions: object, note: (name: string) => void): object {
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]: [string, unknown]) => [
      name,
      typeof run === "function"
        ? (...args: never[]) => {
            note(name);
            return (run as Callable)(...args);
          }
        : run,
    ]),
  );
}

function notingStep(step: AnyStep, note: () => void): StepEdit {
  const noted: AnyStep = (context) => {
    note();
    return step(context);
  };
  return {
    target: step,
    changes: "step",
    apply: (entries) => entries.map((entry) => (entry.step === step ? { ...entry, step: noted } : entry)),
  };
}

function notingStore(store: Store, note: (verb: string) => void): Store {
  const parts = Object.entries(store).map(([part, verbs]: [string, unknown]) => [
    part,
    typeof verbs === "object" && verbs !== null ? noting(verbs, (name) => note(`${part}.${name}`)) : verbs,
  ]);
  return Object.fromEntries(parts) as Store;
}
