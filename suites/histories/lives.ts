import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target/target.ts";
import { type PlayableStory, Violation } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { historySettings, rounds } from "./settings.ts";
import { type BrokenHistory, type History, shortened, type Shortening } from "./shorten.ts";

interface Numbered {
  readonly number: number;
}

export interface Lives<Step extends Numbered> {
  /** All of them where none was broken, else those of the story that is told. */
  readonly answers: readonly Exchange[];
  readonly broken?: BrokenHistory<Step>;
}

interface LivesOptions<Step extends Numbered> {
  live(round: number): Promise<History<Step>>;
  readonly replayHistory: Relive<Step>;
  readonly shortening: Shortening<Step>;
}

/** @param propagationSeconds - how long a target may take to refuse what has ended; what the profile says when left out */
type Relive<Step extends Numbered> = (
  target: Target,
  steps: readonly Step[],
  propagationSeconds?: number,
) => Promise<History<Step>>;

const mostShorterTries = 25;

// Each shorter history that still goes wrong costs this time. The story that is told is given all that the profile says.
const hastySeconds = 0.5;

/**
 * Lives until the target has answered as the document does not allow, and shortens that life.
 *
 * @param ordinary - how many lives, unless the user says
 */
export async function livesUntilBroken<Step extends Numbered>(
  target: Target,
  ordinary: number,
  { live, replayHistory, shortening }: LivesOptions<Step>,
): Promise<Lives<Step>> {
  const answers: Exchange[] = [];
  for (const round of rounds(ordinary)) {
    const history = await live(round);
    const { contradiction } = history;
    answers.push(...history.answers);
    if (contradiction === undefined) continue;
    const broken = await shortestOf(target, { ...history, contradiction }, { replayHistory, shortening });
    return { answers: broken.answers, broken };
  }
  return { answers };
}

interface ShortestOptions<Step extends Numbered> extends Pick<
  LivesOptions<Step>,
  "replayHistory" | "shortening"
> {
  readonly mostTries?: number;
  /** Each try costs more than time: nothing is tried in a hurry. */
  readonly isCostly?: boolean;
}

/**
 * The shortest history found that goes wrong as this one does, taken once more as what is judged, so that the evidence is
 * that story and no other.
 */
export async function shortestOf<Step extends Numbered>(
  target: Target,
  found: BrokenHistory<Step>,
  { replayHistory, shortening, mostTries = mostShorterTries, isCostly = false }: ShortestOptions<Step>,
): Promise<BrokenHistory<Step>> {
  if (historySettings.isLeftLong === true) return found;
  const full = target.profile.revocation_propagation_seconds;
  let shorter = found;
  // A target that takes its time looks wrong to the hasty, so that then only patience finds the story.
  for (const seconds of isCostly ? [full] : new Set([Math.min(hastySeconds, full), full])) {
    shorter = await shortened(
      found,
      (fewer) => replayHistory(target.setup, fewer, seconds),
      mostTries,
      shortening,
    );
    const { contradiction, ...told } = await replayHistory(target, shorter.steps);
    if (contradiction !== undefined) return { ...told, contradiction };
  }
  return shorter;
}

/** @param playable - the story as data, where it can be played once more */
export function violationOf<Step extends Numbered>(
  { contradiction }: BrokenHistory<Step>,
  story: readonly string[],
  playable?: PlayableStory,
): Violation {
  const { expected, observed, exchange, requirement, accessToken } = contradiction;
  const subject = accessToken === undefined ? "the last request" : "the access token";
  return new Violation(
    `${subject} to be ${expected} (${requirement})`,
    `${observed}, after: ${story.join(" ")}`,
    {
      exchange,
      explainedBy: requirement,
      steps: [...story, `Observed: ${observed}.`, `Random with --seed ${propertySettings.seed}.`],
      story: playable,
    },
  );
}
