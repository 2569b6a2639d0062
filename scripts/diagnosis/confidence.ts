import type { Explanation } from "./explain.ts";

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

/** @param familyOf - which rule an entry breaks */
export function featuresOf(
  { fit, rivals }: Explanation,
  familyOf: (id: string) => string | undefined,
): Features {
  const family = familyOf(fit.entry.id);
  const strangers = rivals.filter(({ entry }) => family === undefined || familyOf(entry.id) !== family);
  const common = (rivalScore: number): number[] => [
    fit.pattern,
    fit.likeness,
    fit.precision,
    Math.log(1 + fit.hits.length),
    Math.max(-0.3, Math.min(0.3, fit.score - rivalScore)),
    // What fits in everything is right far more often than what nearly does.
    fit.pattern > 0.99 && fit.likeness > 0.9 ? 1 : 0,
  ];
  return {
    defect: common(rivals[0]?.score ?? 0),
    rule: common(strangers[0]?.score ?? 0),
  };
}

export function confidenceOf(features: Features, { defect, rule }: Calibration): Confidence {
  const exact = logistic(defect, features.defect);
  return { defect: exact, rule: Math.max(exact, logistic(rule, features.rule)) };
}

/** That another entry is the defect, by how near its score comes to that of the first. */
export function confidenceInRival(rivalScore: number, firstScore: number, { defect }: Confidence): number {
  if (firstScore === 0) return 0;
  return Math.min(defect * (rivalScore / firstScore) ** 4, defect, 1 - defect);
}

export function logistic(weights: readonly number[], features: readonly number[]): number {
  const [constant = 0, ...rest] = weights;
  const sum = rest.reduce((total, weight, at) => total + weight * (features[at] ?? 0), constant);
  return 1 / (1 + Math.exp(-sum));
}
