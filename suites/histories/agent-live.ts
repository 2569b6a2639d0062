import { type AgentAction, type AgentStep, isPossibleForAgent } from "./agent-model.ts";
import type { AgentPlay } from "./agent-play.ts";
import { agentCandidates, type AgentKind, type AgentTheme } from "./agent-steps.ts";
import { type Coverage, drawnNext, type Previous } from "./next-step.ts";
import type { Contradiction } from "./contradiction.ts";
import { randomNumbers } from "./random.ts";
import type { History, Shortening } from "./shorten.ts";

interface AgentLifeOptions {
  readonly seed: number;
  readonly motif?: readonly AgentAction[] | undefined;
  readonly mostSteps: number;
  readonly coverage: Coverage;
}

type Life = History<AgentStep>;

/**
 * Lives one random life of agents, then asks everything that exists whether it still does what it did: each session mints,
 * each capability reads, and each challenge is presented once more.
 *
 * @throws {InconclusiveError} when an answer says neither yes nor no
 */
export async function liveAsAgents(
  play: AgentPlay,
  theme: AgentTheme,
  { seed, motif = [], mostSteps, coverage }: AgentLifeOptions,
): Promise<Life> {
  const random = randomNumbers(seed);
  const steps: AgentStep[] = [];
  let previous: Previous<AgentKind> | undefined;

  async function take(action: AgentAction): Promise<Contradiction | undefined> {
    const step = { ...action, number: steps.length + 1 };
    steps.push(step);
    return play.take(step);
  }

  for (const action of motif) {
    // What a motif builds on may have been refused where the document allows it.
    if (!isPossibleForAgent(play.state, action)) break;
    const contradiction = await take(action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  const length = Math.max(6, steps.length) + Math.floor(random() * mostSteps);
  while (steps.length < length) {
    const weightOf = ({ weighed }: { weighed: AgentKind }): number => theme.weights[weighed] ?? 1;
    const next = drawnNext(agentCandidates(play.state, theme), weightOf, previous, coverage, random);
    if (next === undefined) break;
    previous = { ...next, ...(previous && { earlier: previous.weighed }) };
    const contradiction = await take(next.action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  for (const action of lastLook(play)) {
    const contradiction = await take(action);
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }
  return { steps, answers: play.answers };
}

function* lastLook(play: AgentPlay): Generator<AgentAction> {
  for (const capability of play.state.capabilities.keys()) yield { kind: "use", capability };
  for (const session of play.state.sessions.keys()) {
    yield { kind: "capability", session };
    const capability = [...play.state.capabilities].findLast(([, { session: of }]) => of === session)?.[0];
    if (capability !== undefined) yield { kind: "use", capability };
  }
  for (const [challenge, { state }] of play.state.challenges)
    if (state.startsWith("spent")) yield { kind: "login", challenge, agent: "first", flaw: "none" };
}

/** Takes the steps of a history again, with fresh credentials, as far as they are still possible. */
export async function replayAgentHistory(play: AgentPlay, steps: readonly AgentStep[]): Promise<Life> {
  const taken: AgentStep[] = [];
  const { answers, outcomes } = play;
  for (const step of steps) {
    if (!isPossibleForAgent(play.state, step)) continue;
    taken.push(step);
    const contradiction = await play.take(step);
    if (contradiction !== undefined) return { steps: taken, answers, outcomes, contradiction };
  }
  return { steps: taken, answers, outcomes };
}

export const shorteningOfAgents: Shortening<AgentStep> = {
  relevant: ({ steps, contradiction }) => withNeeds(steps, contradiction.step),
  without(steps, gone) {
    const lost = new Set([gone.number]);
    return steps.filter((step) => {
      if (step !== gone && !lost.has(needOf(step) ?? 0)) return true;
      lost.add(step.number);
      return false;
    });
  },
  simpler: [
    (step) => (step.kind === "login" && step.agent === "second" ? { ...step, agent: "first" } : step),
  ],
};

/** A step and those that issued what it presents, and what was done with the same material. */
function withNeeds(steps: readonly AgentStep[], number: number): AgentStep[] {
  const needed = new Set<number>();
  for (let at: number | undefined = number; at !== undefined;) {
    needed.add(at);
    const step = steps.find((one) => one.number === at);
    at = step && needOf(step);
  }
  return steps.filter((step) => needed.has(step.number) || needed.has(needOf(step) ?? 0));
}

/** The step that issued what a step presents. */
function needOf(step: AgentStep): number | undefined {
  switch (step.kind) {
    case "signup":
    case "login":
      return step.challenge;
    case "capability":
      return step.session;
    case "use":
      return step.capability;
    case "challenge":
    case "wait":
      return undefined;
  }
}
