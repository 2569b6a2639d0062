import { check, type Check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, type PlayableStory, type Violation } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { replayAgentHistory } from "./agent-live.ts";
import { startAgentPlay } from "./agent-play.ts";
import { agentSentenceOf, agentStoryOf } from "./agent-story.ts";
import { playedBurst } from "./burst.ts";
import { violationOfBurst } from "./bursts.checks.ts";
import { replayHistory } from "./live.ts";
import { violationOf } from "./lives.ts";
import { type AgentStep } from "./agent-model.ts";
import { isPossible, type Step } from "./grants.ts";
import { startPlay } from "./play.ts";
import { type Story, storyFrom } from "./playable.ts";
import type { BrokenHistory, History } from "./shorten.ts";
import { sentenceOf, storyOf } from "./story.ts";

/** What a story brought this time. */
interface ReplayedStory {
  readonly answers: readonly Exchange[];
  readonly violation?: Violation;
}

/** What collides once may pass the next time. */
const timesOfBurst = 10;

/**
 * A check that plays one story: the document is to allow every answer, as in the check that it comes from.
 *
 * @param id - of that check
 * @throws {TypeError} when it is not a story
 */
export function checkOfStory(id: string, playable: PlayableStory): Check {
  const story = storyFrom(playable);
  const { kind, steps } = story;
  const seconds = steps.reduce((sum, step) => sum + (step.kind === "wait" ? step.seconds : 0), 0);
  const isOfTwo = steps.some((step) => "human" in step && step.human === "second");
  const needs = isOfTwo ? (["human", "second-human"] as const) : (["human"] as const);
  return check({
    id,
    claim: "Every answer of this story is one that the document allows.",
    needs: kind === "agents" ? [] : needs,
    ...(seconds > 0 && { waitSeconds: seconds }),
    act: (target) => replayStory(target, story),
    assert({ violation }) {
      if (violation !== undefined) throw violation;
    },
  });
}

async function replayStory(target: Target, story: Story): Promise<ReplayedStory> {
  switch (story.kind) {
    case "grants": {
      const history = await replayHistory(startPlay(target), story.steps);
      const sentence = (step: Step): string => sentenceOf(step, (number) => number);
      return replayLife(history, story.steps, sentence, storyOf);
    }
    case "agents": {
      const history = await replayAgentHistory(startAgentPlay(target), story.steps);
      const sentence = (step: AgentStep): string => agentSentenceOf(step, (number) => number);
      return replayLife(history, story.steps, sentence, agentStoryOf);
    }
    case "burst":
      return replayBurst(target, story);
  }
}

/** @throws {InconclusiveError} when the target made other choices, so that not all of it could be done */
function replayLife<Taken extends Step | AgentStep>(
  { contradiction, ...history }: History<Taken>,
  wanted: readonly Taken[],
  sentence: (step: Taken) => string,
  story: (broken: BrokenHistory<Taken>) => readonly string[],
): ReplayedStory {
  const { answers, steps } = history;
  if (contradiction !== undefined) {
    const broken = { ...history, contradiction };
    return { answers, violation: violationOf(broken, story(broken)) };
  }
  const leftOut = wanted.find(({ number }) => !steps.some((step) => step.number === number));
  if (leftOut === undefined) return { answers };
  throw cannotBeDone(leftOut.number, sentence(leftOut));
}

async function replayBurst(
  target: Target,
  { steps, together }: Extract<Story, { kind: "burst" }>,
): Promise<ReplayedStory> {
  const answers: Exchange[] = [];
  let judged = 0;
  for (let time = 0; time < timesOfBurst; time += 1) {
    const history = await playedBurst(target, steps, (state) => {
      const impossible = together.find((request) => !isPossible(state, request));
      if (impossible === undefined) return together;
      throw cannotBeDone(
        impossible.number,
        sentenceOf(impossible, (number) => number),
      );
    });
    const own = [...history.answers.values()];
    if (history.contradiction !== undefined || history.unexplained !== undefined)
      return { answers: own, violation: violationOfBurst(history) };
    answers.push(...own);
    if (history.isVoid !== true) judged += 1;
  }
  if (judged > 0) return { answers };
  throw new InconclusiveError("rate-limited", "no two of the simultaneous requests were answered in time");
}

function cannotBeDone(number: number, sentence: string): InconclusiveError {
  return new InconclusiveError(
    "precondition-missing",
    `step ${number} cannot be done, since an earlier one brought nothing to do it with: ${sentence}`,
  );
}
