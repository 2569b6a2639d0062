import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target/target.ts";
import { type PlayableStory, Violation } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { rounds } from "./settings.ts";
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
  relive(target: Target, steps: readonly Step[]): Promise<History<Step>>;
  readonly shortening: Shortening<Step>;
}

const mostShorterTries = 25;

/**
 * Lives until the target has answered as the document does not allow, and shortens that life.
 *
 * @param ordinary - how many lives, unless the user says
 */
export async function livesUntilBroken<Step extends Numbered>(
  target: Target,
  ordinary: number,
  { live, relive, shortening }: LivesOptions<Step>,
): Promise<Lives<Step>> {
  const answers: Exchange[] = [];
  for (const round of rounds(ordinary)) {
    const history = await live(round);
    const { contradiction } = history;
    answers.push(...history.answers);
    if (contradiction === undefined) continue;
    const shorter = await shortened(
      { ...history, contradiction },
      (fewer) => relive(target.setup, fewer),
      mostShorterTries,
      shortening,
    );
    // Once more as what is judged, so that the evidence is this story and no other.
    const told = await relive(target, shorter.steps);
    const broken =
      told.contradiction === undefined ? shorter : { ...told, contradiction: told.contradiction };
    return { answers: broken.answers, broken };
  }
  return { answers };
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
