import { type Calibration, type Features, featuresOf, logistic } from "./confidence.ts";
import type { Entry } from "./dictionary.ts";
import { explainRun } from "./explain-run.ts";
import type { HeldOutDefect, JudgedRun } from "./held-out.ts";
import { imaginedChecks } from "./imagined-run.ts";
import { solved } from "./linear-equations.ts";
import { type Defect, isKind, isRule, unionOf, unionsOf } from "./measure.ts";

/** An explanation of a run whose defects are known, and whether it was right. */
export interface Sample {
  readonly features: Features;
  readonly isDefect: boolean;
  readonly isRule: boolean;
}

type Weights = Pick<Calibration, "defect" | "rule">;

/** Everything that could be said of a run, sure or not. */
function samplesOf(
  run: JudgedRun,
  truth: readonly HeldOutDefect[],
  entries: readonly Entry[],
): readonly Sample[] {
  const { known } = explainRun(imaginedChecks(run.symptoms, run.judged), entries, () => true);
  return known.map((explanation) => ({
    features: featuresOf(explanation),
    isDefect: isKind(explanation.fit.entry.id, truth),
    isRule: isRule(explanation.fit.entry.id, truth),
  }));
}

/** What could be said of services that have a defect alone, one with another, and among three: each about as often. */
export function heldOutSamples(defects: readonly Defect[], entries: readonly Entry[]): readonly Sample[] {
  const services = [...Map.groupBy(defects, ({ source }) => source).values()];
  const groups = services.flatMap((ofService) =>
    [1, 2, 3].flatMap((size) => unionsOf(ofService, size, Math.round(ofService.length / size))),
  );
  return groups.flatMap((truth) => samplesOf(unionOf(truth), truth, entries));
}

/** Fits both confidences to the samples. */
export function fitted(samples: readonly Sample[]): Weights {
  return {
    defect: fitLogistic(samples.map(({ features, isDefect }) => ({ of: features.defect, is: isDefect }))),
    rule: fitLogistic(samples.map(({ features, isRule: is }) => ({ of: features.rule, is }))),
  };
}

interface Point {
  readonly of: readonly number[];
  readonly is: boolean;
}

/** Keeps weights small where the samples say little. */
const ridge = 0.002;
/** Newton's method settles within ten. */
const steps = 20;

/** Logistic regression by Newton's method. @returns the constant first, four decimals */
function fitLogistic(points: readonly Point[]): readonly number[] {
  const rows = points.map(({ of, is }) => ({ values: [1, ...of], is: is ? 1 : 0 }));
  const size = rows[0]?.values.length ?? 0;
  let weights: readonly number[] = Array.from({ length: size }, () => 0);
  for (let step = 0; step < steps; step += 1) {
    const gradient: number[] = weights.map((weight, at) => (at === 0 ? 0 : ridge * weight));
    const curvature: number[][] = weights.map((_, row) =>
      weights.map((__, column) => (row === column && row > 0 ? ridge : 0)),
    );
    for (const { values, is } of rows) {
      const said = logistic(weights, values.slice(1));
      const error = (said - is) / rows.length;
      const slope = (said * (1 - said)) / rows.length;
      values.forEach((value, row) => {
        gradient[row] = (gradient[row] ?? 0) + error * value;
        const line = curvature[row] ?? [];
        values.forEach((other, column) => (line[column] = (line[column] ?? 0) + slope * value * other));
      });
    }
    const change = solved(curvature, gradient);
    weights = weights.map((weight, at) => weight - (change[at] ?? 0));
  }
  return weights.map((weight) => Math.round(10_000 * weight) / 10_000);
}
