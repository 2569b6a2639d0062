import type { Bar, PlayableStory } from "../support/verdict.ts";
import type { BurstHistory } from "./burst.ts";
import type { Sent, Unexplained } from "./judge-burst.ts";
import type { Expectation } from "./model.ts";
import { playableBurst } from "./playable.ts";
import type { Request } from "./requests.ts";
import { grantsOfSteps } from "./shorten.ts";
import { sentenceOf } from "./story.ts";

/** What is told of a burst. */
export interface BurstStory {
  readonly steps: readonly string[];
  readonly bars: readonly Bar[];
  readonly story: PlayableStory;
}

/** A burst as numbered sentences and as bars over time, and what is wrong with the answers. */
export function burstStoryOf({ before, sent, after, contradiction, unexplained }: BurstHistory): BurstStory {
  const needed = new Set(unexplained?.operations.map(({ call }) => call.request.number));
  const later = after.filter(({ request }) => needed.has(request.number));
  const presented = [...sent, ...later].map(({ request }) => request);
  const grants = grantsOfSteps([...before, ...presented]);
  const about = presented.length > 0 ? presented : before;
  const touched = new Set(about.map(({ number }) => grants.get(number)));
  const earlier = before.filter(({ number }) => touched.has(grants.get(number)));
  const place = new Map([...earlier, ...presented].map(({ number }, at) => [number, at + 1]));
  const placeOf = (number: number): number => place.get(number) ?? 0;
  const startedAt = Math.min(...sent.map(({ calledAt }) => calledAt));

  function told(one: Sent): string {
    const times = `${Math.round(one.calledAt - startedAt)} to ${Math.round(one.returnedAt - startedAt)} ms`;
    const sentence = sentenceOf(one.request, placeOf).slice(0, -1);
    return `${placeOf(one.request.number)}. ${sentence}: ${answerOf(one)}, ${times}.`;
  }

  function bar(one: Sent): Bar {
    return {
      step: placeOf(one.request.number),
      label: labelOf(one.request),
      outcome: answerOf(one),
      fromMs: one.calledAt - startedAt,
      toMs: one.returnedAt - startedAt,
      ...(!sent.includes(one) && { isAfterwards: true }),
      ...(needed.has(one.request.number) && { isContradiction: true }),
    };
  }

  const steps = [
    ...earlier.map((step) => `${placeOf(step.number)}. ${sentenceOf(step, placeOf)}`),
    ...(sent.length > 0 ? ["At the same moment:", ...sent.map(told)] : []),
    ...(later.length > 0 ? ["Afterwards:", ...later.map(told)] : []),
    ...(contradiction === undefined
      ? []
      : [
          `Expected step ${placeOf(contradiction.step)} to be ${contradiction.expected}, got ${contradiction.observed}.`,
        ]),
    ...(unexplained === undefined ? [] : [reasonOf(unexplained, placeOf)]),
  ];
  const story = playableBurst(
    earlier,
    sent.map(({ request }) => request),
  );
  return { steps, bars: [...sent, ...later].map(bar), story };
}

/** Short enough to stand beside a bar. */
function labelOf(request: Request): string {
  if (request.kind === "revoke") return `revoke ${request.token} token`;
  if (request.kind === "use") return "use at JMAP";
  return request.kind === "exchange" ? "exchange code" : "refresh";
}

function answerOf({ isAccepted }: Pick<Sent, "isAccepted">): Bar["outcome"] {
  if (isAccepted === undefined) return "no answer";
  return isAccepted ? "accepted" : "refused";
}

function reasonOf({ fitting, left }: Unexplained, placeOf: (number: number) => number): string {
  const order = fitting.map(({ call }) => String(placeOf(call.request.number)));
  const wanted = left.flatMap(({ operation, expected }) =>
    expected.answer === "any"
      ? []
      : [
          `step ${placeOf(operation.call.request.number)} has to be ${expected.answer} (${expected.requirement})`,
        ],
  );
  const start =
    order.length === 0
      ? "From the start"
      : `After ${order.length === 1 ? "step" : "steps"} ${new Intl.ListFormat("en").format(order)}`;
  return `No order explains these answers. ${start}, ${wanted.join(", and ")}.`;
}

/** The requirement that the first of the requests that fit into no order would break. */
export function requirementOf({ left }: Unexplained): string | undefined {
  const wanted: readonly Expectation[] = left.map(({ expected }) => expected);
  return wanted.flatMap((expected) => (expected.answer === "any" ? [] : [expected.requirement]))[0];
}
