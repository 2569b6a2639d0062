import { type Action, isPossible, type Step } from "./grants.ts";
import { actionOf, type Coverage, type Motif, nextAction, type Previous, type Theme } from "./next-step.ts";
import type { Contradiction } from "./contradiction.ts";
import type { Play } from "./play.ts";
import { randomNumbers } from "./random.ts";
import type { History } from "./shorten.ts";

type LivingPlay = Pick<Play, "state" | "answers" | "take">;

interface LifeOptions {
  readonly seed: number;
  readonly motif?: Motif | undefined;
  readonly mostSteps: number;
  readonly coverage: Coverage;
}

/**
 * Lives one random life: draws steps of the theme, then presents the newest refresh token of each grant, any of them, and the
 * newest again, since only that shows which of them live and whether reuse is still noticed.
 *
 * @throws {InconclusiveError} when an answer says neither yes nor no
 */
export async function live(
  play: LivingPlay,
  theme: Theme,
  { seed, motif, mostSteps, coverage }: LifeOptions,
): Promise<History> {
  const random = randomNumbers(seed);
  const steps: Step[] = [];
  let previous: Previous | undefined;

  async function take(action: Action): Promise<Contradiction | undefined> {
    const step = { ...action, number: steps.length + 1 };
    steps.push(step);
    return play.take(step);
  }

  for (const action of openingOf(theme, motif, random)) {
    if (!isPossible(play.state, action)) break;
    const contradiction = await take(action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  let last: Action | undefined;

  function actionOfMotif(next: Motif["steps"][number]): Action | undefined {
    if (typeof next === "object") return { kind: "wait", seconds: next.wait };
    const client = play.state.get(1)?.client ?? "public";
    const consent = { client, human: play.state.get(1)?.human ?? "first" } as const;
    if (next === "deny") return { kind: "deny", ...consent };
    if (next === "authorize" || next === "narrow")
      return { kind: "authorize", ...consent, isNarrowed: next === "narrow" };
    if (next === "redeem the newest")
      return { kind: "exchange", code: Math.max(...play.state.keys()), by: client };
    if (next === "reuse the oldest") return reuseOf(0);
    if (next === "reuse the last") return reuseOf(-2);
    return next === "the same" ? last : actionOf(next, play.state, 1, theme, random);
  }

  /** @param place - of the token among all of the grant, oldest first; negative from the end */
  function reuseOf(place: number): Action | undefined {
    const grant = play.state.get(1);
    if (grant === undefined || grant.generations.length < 2) return undefined;
    const tokens = grant.generations.at(place);
    return tokens === undefined
      ? undefined
      : { kind: "refresh", tokens, by: grant.client, isWidening: false };
  }

  for (const next of motif?.steps ?? []) {
    const action = actionOfMotif(next);
    if (action === undefined) break;
    last = action;
    const contradiction = await take(action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  // A long life ends most of its grants; what happens to those that live shows in a short one.
  const length = steps.length + 2 + Math.floor(random() * mostSteps);
  while (steps.length < length) {
    const next = nextAction(play.state, theme, previous, coverage, random);
    if (next === undefined) break;
    previous = { ...next, ...(previous && { earlier: previous.weighed }) };
    const contradiction = await take(next.action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  for (const action of lastLook(play, random)) {
    const contradiction = await take(action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  return { steps, answers: play.answers };
}

/** Presents the newest refresh token of each grant, any of them, and the newest again. */
export function* lastLook(play: Pick<Play, "state">, random: () => number): Generator<Action> {
  for (const number of play.state.keys()) {
    for (const tokensOf of [newest, anyOf(random), newest]) {
      const grant = play.state.get(number);
      const tokens = grant && tokensOf(grant.generations);
      if (grant !== undefined && tokens !== undefined)
        yield { kind: "refresh", tokens, by: grant.client, isWidening: false };
    }
  }
}

function newest(generations: readonly number[]): number | undefined {
  return generations.at(-1);
}

/** The oldest as often as all others together: what forgets old tokens forgets that one first. */
function anyOf(random: () => number): (generations: readonly number[]) => number | undefined {
  return (generations) => generations[random() < 0.5 ? 0 : Math.floor(random() * generations.length)];
}

/** A grant of some generations: what happens to old ones is seldom seen by drawing one step after the other. */
function openingOf(
  { clients, humans, mostRotationsFirst = 0 }: Theme,
  motif: Motif | undefined,
  random: () => number,
): Action[] {
  const rotations = Math.floor(random() * (mostRotationsFirst + 1));
  const client = clients[Math.floor(random() * clients.length)];
  const human = humans[Math.floor(random() * humans.length)];
  if (client === undefined || human === undefined || (motif === undefined && rotations === 0)) return [];
  const { isNarrowed = false, resource = "JMAP" } = motif ?? {};
  const authorize: Action = { kind: "authorize", client, human, isNarrowed, resource };
  if (motif?.on === "a code") return [authorize];
  return [
    authorize,
    { kind: "exchange", code: 1, by: client },
    ...Array.from({ length: rotations }, (_, at): Action => {
      return { kind: "refresh", tokens: at + 2, by: client, isWidening: false };
    }),
  ];
}

/** Takes the steps of a history again, with fresh credentials, as far as they are still possible. */
export async function replayHistory(play: Play, steps: readonly Step[]): Promise<History> {
  const taken: Step[] = [];
  const { answers, outcomes } = play;
  for (const [at, step] of steps.entries()) {
    if (!isPossible(play.state, step)) continue;
    taken.push(step);
    const next = steps[at + 1];
    // A kill comes right after what was acknowledged last.
    const isBeforeKill = next?.kind === "restart" && next.isKill;
    const contradiction = await (isBeforeKill ? play.takeAtOnce(step) : play.take(step));
    if (contradiction !== undefined) return { steps: taken, answers, outcomes, contradiction };
  }
  return { steps: taken, answers, outcomes };
}
