import { requirementOf } from "../../suites/support/judging/check.ts";
import type { Entry } from "./dictionary.ts";
import { type Fit, fitOf } from "./fit.ts";
import { type Observations, without } from "./observations.ts";

/** An entry that was chosen to explain symptoms, with the others that could stand in its place, best first. */
export interface Explanation {
  readonly fit: Fit;
  /** Failing checks that no explanation before this one accounts for. */
  readonly explains: readonly string[];
  readonly rivals: readonly Fit[];
}

/** Of what an entry predicts, so much has to be seen, alone and with the likeness of the values. */
const leastPrecision = 0.5;
const leastAgreement = 0.4;

/**
 * The fewest entries that account for the symptoms, by residual greedy choice: at each step the entry that explains most of
 * what is left without predicting what passed. Each is then weighed against its rivals as if the others were mended.
 */
export function explain(
  entries: readonly Entry[],
  observations: Observations,
  suiteOf: ReadonlyMap<string, string>,
): readonly Explanation[] {
  const fits = entries.flatMap((entry) => fitOf(entry, observations, suiteOf) ?? []).filter(isPossible);
  const chosen = chosenOf(fits, observations);
  const settled = chosen.map(({ entry }, at) => {
    const others = chosen.filter((_, place) => place !== at);
    return bestInPlaceOf(entry, entries, alone(others, entry, observations), suiteOf);
  });
  return explanationsOf(settled, observations);
}

/**
 * The entry that comes nearest to symptoms which {@link explain} left: too little of it was seen to be sure, but it may be
 * of the same kind.
 */
export function nearest(
  entries: readonly Entry[],
  observations: Observations,
  suiteOf: ReadonlyMap<string, string>,
): Explanation | undefined {
  const ranked = rankedFits(entries, observations, suiteOf);
  const fit = ranked.find(({ entry }) => entry.sentence !== undefined);
  if (fit === undefined) return undefined;
  return {
    fit,
    rivals: ranked.filter((one) => one !== fit),
    explains: observations.failing.map(({ id }) => id),
  };
}

function rankedFits(
  entries: readonly Entry[],
  observations: Observations,
  suiteOf: ReadonlyMap<string, string>,
): readonly Fit[] {
  return entries
    .flatMap((entry) => fitOf(entry, observations, suiteOf) ?? [])
    .toSorted((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1));
}

function isPossible({ precision, likeness }: Fit): boolean {
  return precision >= leastPrecision && precision * halfOf(likeness) >= leastAgreement;
}

function halfOf(likeness: number): number {
  return 0.5 + 0.5 * likeness;
}

/** Named entries, in the order in which they were chosen. */
function chosenOf(fits: readonly Fit[], { symptoms }: Observations): Fit[] {
  const left = new Set(
    [...symptoms.values()].filter(({ verdict }) => verdict === "fail").map(({ id }) => id),
  );
  const named = fits.filter(({ entry }) => entry.sentence !== undefined);
  const chosen: Fit[] = [];
  while (left.size > 0) {
    const gainOf = (fit: Fit): number => {
      const explained = fit.hits.filter((id) => left.has(id)).length;
      return fit.precision * Math.log(1 + explained) * halfOf(fit.likeness);
    };
    const best = named
      .map((fit) => ({ fit, gain: gainOf(fit) }))
      .reduce<{ fit: Fit; gain: number } | undefined>(
        (first, next) =>
          first === undefined ||
          next.gain > first.gain ||
          (next.gain === first.gain && next.fit.score > first.fit.score)
            ? next
            : first,
        undefined,
      );
    if (best === undefined || best.gain === 0) break;
    chosen.push(best.fit);
    for (const id of best.fit.hits) left.delete(id);
  }
  return chosen;
}

/** What the run would have shown without the other defects: their symptoms may hide or be shared with those of this one. */
function alone(others: readonly Fit[], entry: Entry, observations: Observations): Observations {
  const foreign = others.flatMap(({ hits }) => hits).filter((id) => entry.symptoms[id] === undefined);
  return without(observations, new Set(foreign));
}

interface Settled {
  readonly fit: Fit;
  readonly rivals: readonly Fit[];
}

/** The entry that fits best where this one was chosen, and the others that fit there. */
function bestInPlaceOf(
  { id }: Entry,
  entries: readonly Entry[],
  observations: Observations,
  suiteOf: ReadonlyMap<string, string>,
): Settled {
  const fits = rankedFits(entries, observations, suiteOf);
  const chosen = fits.find(({ entry }) => entry.id === id);
  if (chosen === undefined) throw new Error(`the entry ${id} was chosen and explains nothing`);
  const explained = new Set(chosen.hits);
  const broken = new Set(chosen.hits.map(requirementOf));
  const ranked = fits.filter(({ entry }) => [...entry.requirements].some((one) => broken.has(one)));
  const fit =
    ranked.find(
      ({ entry, hits }) => entry.sentence !== undefined && hits.some((hit) => explained.has(hit)),
    ) ?? chosen;
  return { fit, rivals: ranked.filter((one) => one !== fit) };
}

/** Without those that explain nothing that another one does not, and with each failing check given to the first that has it. */
function explanationsOf(settled: readonly Settled[], { symptoms }: Observations): Explanation[] {
  const isFailing = (id: string): boolean => symptoms.get(id)?.verdict === "fail";
  const taken = new Set<string>();
  return settled.flatMap(({ fit, rivals }) => {
    const explains = fit.hits.filter((id) => isFailing(id) && !taken.has(id));
    if (explains.length === 0) return [];
    for (const id of explains) taken.add(id);
    return [{ fit, rivals, explains }];
  });
}
