import type { Explanation, Rival } from "./explain.ts";
import { familyOf, wayOf } from "./families.ts";
import { isExact, sum } from "./fit.ts";

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
  const { entry, explained, hits, precision, likeness } = fit;
  const own = sum(explains, (id) => explained.get(id) ?? 0) / explains.length;
  const surplus = explains.filter((id) => !hits.includes(id)).length / explains.length;
  // What fits in everything, with nothing beside it, is right far more often than what nearly does.
  const exact = isExact(fit, explains);
  const common = (margin: number): number[] => [
    own,
    precision,
    likeness,
    surplus,
    Math.log(explains.length),
    Math.max(leastMargin, Math.min(mostMargin, margin)),
    Math.log(1 + beside),
    exact ? 1 : 0,
    exact && beside === 0 ? 1 : 0,
  ];
  const marginTo = (isOther: (id: string) => boolean): number =>
    rivals.find((rival) => isOther(rival.fit.entry.id))?.margin ?? mostMargin;
  const family = familyOf(entry.id);
  return {
    defect: common(marginTo((id) => wayOf(id) !== wayOf(entry.id))),
    rule: common(marginTo((id) => family === undefined || familyOf(id) !== family)),
  };
}

const leastMargin = -0.5;
const mostMargin = 1;

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
