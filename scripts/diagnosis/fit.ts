import type { Entry, Prediction } from "./dictionary.ts";
import type { Observations, SeenSymptom } from "./observations.ts";

/** How well an entry of the dictionary fits a run. */
export interface Fit {
  readonly entry: Entry;
  /** Checks that the entry predicts and that noticed something. */
  readonly hits: readonly string[];
  /** Checks that it predicts and that passed. */
  readonly against: readonly string[];
  /**
   * By failing check, how much of it the entry explains, from 0 to 1: nearly all where it predicts the check and the value,
   * less where the value is another one, little where it predicts other cases of the same requirement.
   */
  readonly explained: ReadonlyMap<string, number>;
  /** Share of what it predicts that was seen, from 0 to 1. */
  readonly precision: number;
  /** How alike the observed values are where it was seen, from 0 to 1. */
  readonly likeness: number;
}

/** What a predicted check is worth whatever it observed, and another case of its requirement that observed the same. */
const ofCheck = 0.6;
const ofRequirement = 0.6;

/** @returns undefined when the run shows nothing of the requirements that the entry breaks */
export function fitOf(
  entry: Entry,
  { judged, symptoms, failing, requirements: broken }: Observations,
): Fit | undefined {
  if (!entry.requirements.some((id) => broken.has(id))) return undefined;
  const predicted = entry.predicted.filter(({ id }) => judged.has(id));
  if (predicted.length === 0) return undefined;
  const pairs = predicted.flatMap((prediction): Pair[] => {
    const symptom = symptoms.get(prediction.id);
    return symptom === undefined ? [] : [{ prediction, symptom }];
  });
  const explained = new Map<string, number>();
  for (const symptom of failing) {
    const share = shareOf(symptom, entry, predicted);
    if (share > 0) explained.set(symptom.id, share);
  }
  if (explained.size === 0) return undefined;
  const near =
    pairs.length > 0 ? pairs.map(likenessOf) : [...explained.values()].map((share) => share / ofRequirement);
  return {
    entry,
    hits: pairs.map(({ prediction }) => prediction.id),
    against: predicted.filter(({ id }) => !symptoms.has(id)).map(({ id }) => id),
    explained,
    precision: sum(pairs, ({ prediction }) => weightOf(prediction)) / sum(predicted, weightOf),
    likeness: sum(near, (share) => share) / near.length,
  };
}

/**
 * It predicts these failing checks with their values, and no other one that was judged.
 *
 * @param explains - failing checks that it accounts for
 */
export function isExact({ hits, precision, likeness }: Fit, explains: readonly string[]): boolean {
  return precision === 1 && likeness > alike && explains.every((id) => hits.includes(id));
}

const alike = 0.9;

interface Pair {
  readonly prediction: Prediction;
  readonly symptom: SeenSymptom;
}

/** A warning says less than a failure: permitted choices warn too. */
export function weightOf({ verdict }: Pick<Prediction, "verdict">): number {
  return verdict === "fail" ? 1 : 0.5;
}

function shareOf(symptom: SeenSymptom, entry: Entry, predicted: readonly Prediction[]): number {
  const own = entry.byCheck.get(symptom.id);
  if (own !== undefined) return ofCheck + (1 - ofCheck) * likenessOf({ prediction: own, symptom });
  if (!entry.requirements.includes(symptom.requirement)) return 0;
  const others = predicted.filter(({ requirement }) => requirement === symptom.requirement);
  return ofRequirement * Math.max(0, ...others.map((prediction) => likenessOf({ prediction, symptom })));
}

/** 1 where the observed values are equal, otherwise how many words they share; half where one is not known. */
function likenessOf({ prediction: { observed, words }, symptom }: Pair): number {
  if (words === undefined || symptom.observed === undefined) return 0.5;
  return observed === symptom.observed ? 1 : mostOfUnequal * jaccard(words, symptom.words);
}

const mostOfUnequal = 0.9;

function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  const union = one.size + other.size - shared;
  return union === 0 ? 1 : shared / union;
}

export function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
