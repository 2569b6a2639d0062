import type { Explanation, Rival } from "./explain.ts";
import { familyOf, wayOf } from "./families.ts";
import { isExact } from "./fit.ts";

/** `fixtures/diagnosis/calibration.json`: how sure a fit makes us, fitted to defects that the dictionary does not hold. */
export interface Calibration {
  readonly format: string;
  /** SHA-256 of the dictionary that it was fitted with, hexadecimal. */
  readonly dictionary: string;
  /** Weights of the features, the constant first. */
  readonly defect: readonly number[];
  readonly rule: readonly number[];
}

export interface Confidence {
  readonly rule: number;
  readonly defect: number;
}

/** What the two confidences depend on. */
export interface Features {
  readonly defect: readonly number[];
  readonly rule: readonly number[];
}

export function featuresOf({ fit, explains, rivals, beside }: Explanation): Features {
  const { entry, hits, against, likeness } = fit;
  const surplus = explains.filter((id) => !hits.includes(id)).length / explains.length;
  // What fits in everything, with nothing beside it, is right far more often than what nearly does.
  const exact = isExact(fit, explains);
  const withStandIns = (kindOf: (id: string) => string): number[] => [
    likeness,
    surplus,
    Math.log(1 + against.length),
    Math.log(1 + standIns(entry.id, rivals, kindOf)),
    exact ? 1 : 0,
    exact && beside === 0 ? 1 : 0,
  ];
  return { defect: withStandIns(wayOf), rule: withStandIns((id) => familyOf(id)?.id ?? id) };
}

/** How much worse than an entry another one explains a run that could as well be the defect, in failing checks. */
const mostOfStandIn = 0.1;

/** How many other kinds of defects explain the run as well or nearly so. */
function standIns(id: string, rivals: readonly Rival[], kindOf: (id: string) => string): number {
  const near = rivals.filter(({ margin }) => margin < mostOfStandIn).map(({ fit }) => kindOf(fit.entry.id));
  return new Set(near.filter((kind) => kind !== kindOf(id))).size;
}

export function confidenceOf(features: Features, { defect, rule }: Calibration): Confidence {
  const exact = logistic(defect, features.defect);
  return { defect: exact, rule: Math.max(exact, logistic(rule, features.rule)) };
}

/** That another entry is the defect, by how much worse it explains the run. */
export function confidenceInRival({ margin }: Rival, { defect }: Confidence): number {
  return Math.min(defect * Math.exp(-rivalDecay * Math.max(0, margin)), 1 - defect);
}

const rivalDecay = 4;

export function logistic(weights: readonly number[], features: readonly number[]): number {
  const [constant = 0, ...rest] = weights;
  const sum = rest.reduce((total, weight, at) => total + weight * (features[at] ?? 0), constant);
  return 1 / (1 + Math.exp(-sum));
}
