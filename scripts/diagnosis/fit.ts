import type { Entry, Prediction } from "./dictionary.ts";
import type { Observations, SeenSymptom } from "./observations.ts";

/** How well an entry of the dictionary fits a run. All figures are from 0 to 1. */
export interface Fit {
  readonly entry: Entry;
  /** Checks that the entry predicts and that noticed something. */
  readonly hits: readonly string[];
  /** Checks that it predicts and that passed. */
  readonly against: readonly string[];
  /** Share of what it predicts that was seen. */
  readonly precision: number;
  /** How alike the observed values are where it was seen. */
  readonly likeness: number;
  /** How alike the patterns are: by check, by requirement and by suite. */
  readonly pattern: number;
  /** Pattern and values together. */
  readonly score: number;
}

/**
 * @param suiteOf - by the id of a check
 * @returns undefined when the run shows nothing of the requirements that the entry breaks
 */
export function fitOf(
  entry: Entry,
  { judged, symptoms, failing, requirements: broken }: Observations,
  suiteOf: ReadonlyMap<string, string>,
): Fit | undefined {
  if (![...entry.requirements].some((id) => broken.has(id))) return undefined;
  const predicted = entry.predicted.filter(({ id }) => judged.has(id));
  const requirements = new Set(predicted.map(({ requirement }) => requirement));
  // A warning that the entry does not predict speaks against nothing: permitted choices warn.
  const warnings = predicted
    .flatMap(({ id }) => symptoms.get(id) ?? [])
    .filter(({ verdict }) => verdict === "warn");
  const seen = [...failing, ...warnings];
  if (!seen.some(({ requirement }) => requirements.has(requirement))) return undefined;
  const pairs = predicted.flatMap((prediction): Pair[] => {
    const symptom = symptoms.get(prediction.id);
    return symptom === undefined ? [] : [{ prediction, symptom }];
  });
  const agreed = sum(pairs, ({ prediction, symptom }) => Math.min(weightOf(prediction), weightOf(symptom)));
  const expected = sum(predicted, weightOf);
  const likeness = likenessOf(pairs.length > 0 ? pairs : nearbyPairs(predicted, seen));
  const pattern =
    0.6 * ochiai(agreed, expected, sum(seen, weightOf)) +
    0.3 * sharedOf(requirements, new Set(seen.map(({ requirement }) => requirement))) +
    0.1 *
      cosine(
        countsOf(predicted.map(({ id }) => suiteOf.get(id) ?? "")),
        countsOf(seen.map(({ suite }) => suite)),
      );
  return {
    entry,
    hits: pairs.map(({ prediction }) => prediction.id),
    against: predicted.filter(({ id }) => !symptoms.has(id)).map(({ id }) => id),
    precision: agreed / expected,
    likeness,
    pattern,
    score: pattern * (0.5 + 0.5 * likeness),
  };
}

interface Pair {
  readonly prediction: Prediction;
  readonly symptom: SeenSymptom;
}

/** A warning says less than a failure: permitted choices warn too. */
function weightOf({ verdict }: Pick<Prediction, "verdict">): number {
  return verdict === "fail" ? 1 : 0.5;
}

/** Other cases of the same requirements, where none of the predicted ones was seen. */
function nearbyPairs(predicted: readonly Prediction[], seen: readonly SeenSymptom[]): readonly Pair[] {
  return predicted.flatMap((prediction) =>
    seen
      .filter(({ requirement }) => requirement === prediction.requirement)
      .map((symptom) => ({ prediction, symptom })),
  );
}

/** The mean over the checks of how many words two observed values share; half where a value is not known. */
function likenessOf(pairs: readonly Pair[]): number {
  const shares = pairs.map(({ prediction: { words }, symptom }) =>
    words === undefined || symptom.observed === undefined ? 0.5 : jaccard(words, symptom.words),
  );
  return sum(shares, (share) => share) / shares.length;
}

function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = countShared(one, other);
  const union = one.size + other.size - shared;
  return union === 0 ? 1 : shared / union;
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count;
}

function ochiai(shared: number, predicted: number, seen: number): number {
  return predicted * seen === 0 ? 0 : shared / Math.sqrt(predicted * seen);
}

function sharedOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return ochiai(countShared(one, other), one.size, other.size);
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function cosine(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const product = sum([...one], ([name, count]) => count * (other.get(name) ?? 0));
  const length = (counts: ReadonlyMap<string, number>): number =>
    Math.sqrt(sum([...counts.values()], (count) => count ** 2));
  return product === 0 ? 0 : product / (length(one) * length(other));
}

export function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
