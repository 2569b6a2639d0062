import { requirementOf } from "../../suites/support/judging/check.ts";
import type { Entry } from "./dictionary.ts";
import { wordsOf } from "./normal-value.ts";
import type { Observations, SeenSymptom } from "./observations.ts";
import type { Symptom } from "./symptom.ts";

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

/** An entry as this run could show it: without the checks that the run did not judge. */
interface Prediction {
  readonly id: string;
  readonly symptom: Symptom;
}

/**
 * @param suiteOf - by the id of a check
 * @returns undefined when the run shows nothing of the requirements that the entry breaks
 */
export function fitOf(
  entry: Entry,
  { judged, symptoms }: Observations,
  suiteOf: ReadonlyMap<string, string>,
): Fit | undefined {
  const predicted: Prediction[] = Object.entries(entry.symptoms)
    .filter(([id]) => judged.has(id))
    .map(([id, symptom]) => ({ id, symptom }));
  const pairs = predicted.flatMap((one) => {
    const seen = symptoms.get(one.id);
    return seen === undefined ? [] : [{ ...one, seen }];
  });
  // A warning that the entry does not predict speaks against nothing: permitted choices warn.
  const seen = [...symptoms.values()].filter(({ id, verdict }) => verdict === "fail" || id in entry.symptoms);
  const requirements = new Set(predicted.map(({ id }) => requirementOf(id)));
  if (!seen.some(({ requirement }) => requirements.has(requirement))) return undefined;
  const agreed = sum(pairs, ({ symptom, seen }) => Math.min(weightOf(symptom), weightOf(seen)));
  const precision = agreed / sum(predicted, ({ symptom }) => weightOf(symptom));
  const likeness = pairs.length > 0 ? likenessOf(pairs) : likenessOf(nearbyPairs(predicted, seen));
  const pattern =
    0.6 *
      ochiai(
        agreed,
        sum(predicted, ({ symptom }) => weightOf(symptom)),
        sum(seen, weightOf),
      ) +
    0.3 * sharedOf(requirements, new Set(seen.map(({ requirement }) => requirement))) +
    0.1 *
      cosine(
        countsOf(predicted.map(({ id }) => suiteOf.get(id) ?? "")),
        countsOf(seen.map(({ suite }) => suite)),
      );
  return {
    entry,
    hits: pairs.map(({ id }) => id),
    against: predicted.filter(({ id }) => !symptoms.has(id)).map(({ id }) => id),
    precision,
    likeness,
    pattern,
    score: pattern * (0.5 + 0.5 * likeness),
  };
}

/** A warning says less than a failure: permitted choices warn too. */
function weightOf({ verdict }: Pick<Symptom, "verdict">): number {
  return verdict === "fail" ? 1 : 0.5;
}

/** Other cases of the same requirements, where none of the predicted ones was seen. */
function nearbyPairs(
  predicted: readonly Prediction[],
  seen: readonly SeenSymptom[],
): readonly { readonly symptom: Symptom; readonly seen: SeenSymptom }[] {
  return predicted.flatMap(({ id, symptom }) =>
    seen
      .filter(({ requirement }) => requirement === requirementOf(id))
      .map((one) => ({ symptom, seen: one })),
  );
}

/** The mean over the checks of how many words two observed values share; half where a value is not known. */
function likenessOf(pairs: readonly { readonly symptom: Symptom; readonly seen: SeenSymptom }[]): number {
  const shares = pairs.map(({ symptom, seen }) => {
    if (symptom.observed === undefined || seen.observed === undefined) return 0.5;
    return jaccard(cachedWords(symptom.observed), seen.words);
  });
  return sum(shares, (share) => share) / shares.length;
}

const words = new Map<string, ReadonlySet<string>>();

function cachedWords(value: string): ReadonlySet<string> {
  const known = words.get(value);
  if (known !== undefined) return known;
  const found = wordsOf(value);
  words.set(value, found);
  return found;
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
