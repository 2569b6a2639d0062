import type { Exchange } from "../support/wire/exchange.ts";
import { live } from "./live.ts";
import { lifeCases } from "./lives.checks.ts";
import { stateAfter } from "./grant-changes.ts";
import { noGrants, type Place, type Step } from "./grants.ts";
import { expectationOf, expectationOfAccessToken, mayHoldSend } from "./model.ts";
import { type Coverage, newCoverage } from "./next-step.ts";
import type { Contradiction } from "./contradiction.ts";
import type { Play } from "./play.ts";
import type { SimulatedAnswer, simulatedTarget } from "./simulated-target.ts";

export type Simulated = Pick<ReturnType<typeof simulatedTarget>, "answer" | "serves">;

const places: readonly Place[] = ["JMAP", "the inbox list", "the MCP endpoint"];

/** Judges a target in memory as {@link startPlay} judges one over HTTP. */
function simulatedPlay(target: Simulated): Pick<Play, "state" | "answers" | "take"> {
  let state = noGrants;

  function wrong(step: Step, requirement: string, expected: string): Contradiction {
    return { step: step.number, requirement, expected, observed: "", exchange: {} as Exchange };
  }

  function contradictionOf(step: Step, { isAccepted, canSend }: SimulatedAnswer): Contradiction | undefined {
    const expected = expectationOf(state, step);
    if (expected.answer !== "any" && (expected.answer === "accepted") !== isAccepted)
      return wrong(step, expected.requirement, expected.answer);
    return isAccepted && canSend === true && !mayHoldSend(state, step)
      ? wrong(step, "SCOPE-06", "narrow")
      : undefined;
  }

  return {
    answers: [],
    get state() {
      return state;
    },
    take(step) {
      const answer = target.answer(step);
      const contradiction = contradictionOf(step, answer);
      if (contradiction !== undefined) return Promise.resolve(contradiction);
      state = stateAfter(state, step, answer.isAccepted);
      for (const { generations } of state.values())
        for (const tokens of generations)
          for (const place of places) {
            const expected = expectationOfAccessToken(state, tokens, place);
            if (expected.answer === "any") continue;
            if ((expected.answer === "accepted") !== target.serves(tokens, place))
              return Promise.resolve(wrong(step, expected.requirement, `${expected.answer} at ${place}`));
          }
      return Promise.resolve(undefined);
    },
  };
}

const mostSteps = 25;

/** Lives one of the lives of a check. @returns what went wrong, and the steps until then */
export async function livedOn(
  target: Simulated,
  slug: string,
  seed: number,
  coverage: Coverage = newCoverage(),
): Promise<string | undefined> {
  const found = lifeCases.find((one) => one.slug === slug);
  if (found === undefined) throw new TypeError(`no lives are called ${slug}`);
  const { theme } = found;
  const motif = theme.motifs?.[Math.abs(seed) % (theme.motifs.length + 1)];
  const { contradiction, steps } = await live(simulatedPlay(target), theme, {
    seed,
    motif,
    mostSteps,
    coverage,
  });
  return contradiction && `${JSON.stringify(contradiction)} after ${JSON.stringify(steps)}`;
}
