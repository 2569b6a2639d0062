import { type Calibration, type Features, featuresOf, logistic } from "./confidence.ts";
import type { Entry } from "./dictionary.ts";
import { explainRun } from "./explain-run.ts";
import { familyOf, wayOf } from "./families.ts";
import type { HeldOutDefect, JudgedRun } from "./held-out.ts";
import { imaginedChecks } from "./imagined-run.ts";
import { isKind, isRule } from "./measure.ts";

/** An explanation of a run whose defects are known, and whether it was right. */
export interface Sample {
  readonly features: Features;
  readonly isDefect: boolean;
  readonly isRule: boolean;
  readonly weight: number;
}

type Weights = Pick<Calibration, "defect" | "rule">;

/** Everything that could be said of a run, sure or not. */
export function samplesOf(
  run: JudgedRun,
  truth: readonly HeldOutDefect[],
  entries: readonly Entry[],
): readonly Sample[] {
  const { known } = explainRun(imaginedChecks(run.symptoms, run.judged), entries, () => true);
  return known.map((explanation) => ({
    features: featuresOf(explanation),
    isDefect: isKind(explanation.fit.entry.id, truth),
    isRule: isRule(explanation.fit.entry.id, truth),
    weight: 1,
  }));
}

/** Few of these have an entry of their kind: in a run of another service, most defects have one. */
const leftOutWeight = 0.3;
/** One in so many is left out, which is enough to fit with. */
const leftOutEvery = 6;

/** Some faults looked up in a dictionary without them: what is named is at most a defect of the same kind. */
export function leftOutSamples(entries: readonly Entry[]): readonly Sample[] {
  return entries.flatMap(({ id, sentence, symptoms }, at) => {
    if (sentence === undefined || at % leftOutEvery !== 0) return [];
    const others = entries.filter((entry) => entry.id !== id);
    const family = familyOf(id)?.id;
    const { known } = explainRun(imaginedChecks(symptoms), others, () => true);
    return known.map((explanation) => ({
      features: featuresOf(explanation),
      isDefect: wayOf(explanation.fit.entry.id) === wayOf(id),
      isRule: familyOf(explanation.fit.entry.id)?.id === family,
      weight: leftOutWeight,
    }));
  });
}

/** Fits both confidences to the samples. */
export function fitted(samples: readonly Sample[]): Weights {
  return {
    defect: fitLogistic(
      samples.map(({ features, isDefect, weight }) => ({ of: features.defect, is: isDefect, weight })),
    ),
    rule: fitLogistic(samples.map(({ features, isRule: is, weight }) => ({ of: features.rule, is, weight }))),
  };
}

interface Point {
  readonly of: readonly number[];
  readonly is: boolean;
  readonly weight: number;
}

const steps = 4000;
const rate = 0.5;
/** Keeps weights small where the samples say little. */
const ridge = 0.002;

/** Logistic regression by gradient descent. @returns the constant first, four decimals */
function fitLogistic(points: readonly Point[]): readonly number[] {
  const size = points[0]?.of.length ?? 0;
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  let weights: number[] = Array.from({ length: size + 1 }, () => 0);
  for (let step = 0; step < steps; step += 1) {
    const gradient = Array.from({ length: size + 1 }, () => 0);
    for (const { of, is, weight } of points) {
      const error = ((logistic(weights, of) - (is ? 1 : 0)) * weight) / total;
      [1, ...of].forEach((value, at) => (gradient[at] = (gradient[at] ?? 0) + error * value));
    }
    weights = weights.map(
      (weight, at) => weight - rate * ((gradient[at] ?? 0) + (at === 0 ? 0 : ridge * weight)),
    );
  }
  return weights.map((weight) => Math.round(10_000 * weight) / 10_000);
}
