import { requirementOf } from "../../suites/support/judging/check.ts";
import type { Entry } from "./dictionary.ts";
import { wayOf } from "./families.ts";
import { type Fit, fitOf, sum } from "./fit.ts";
import type { Observations } from "./observations.ts";

/** An entry that was chosen to explain symptoms, with the others that could stand in its place, best first. */
export interface Explanation {
  readonly fit: Fit;
  /** Failing checks that it explains better than the other explanations. */
  readonly explains: readonly string[];
  readonly rivals: readonly Rival[];
  /** How many other explanations there are of checks of the same area: the more, the likelier that one defect is unknown. */
  readonly beside: number;
}

/** An entry in the place of the one that was chosen. */
export interface Rival {
  readonly fit: Fit;
  /**
   * How much worse the run is explained then, in failing checks, by the best of its way and those that are nearly as good.
   * Below 0: better, which only entries without a sentence are.
   */
  readonly margin: number;
}

/**
 * The defects that together explain the symptoms at the least cost. A defect has its price, and more so when checks that it
 * would make fail have passed. One is added, replaced or dropped after the other for as long as that pays. What is left then
 * is given to the entries that come nearest, however little of them was seen. Of several that could stand in one place, those
 * count together that break a rule in the same way.
 */
export function explain(entries: readonly Entry[], observations: Observations): readonly Explanation[] {
  const fits = entries.flatMap((entry) => fitOf(entry, observations) ?? []);
  const named = fits.filter(({ entry }) => entry.sentence !== undefined);
  const cheap = withNearest(cheapest(named), named);
  const chosen = cheap.map((fit) => likeliest(fit, cheap, named));
  return explanationsOf(chosen, fits, observations);
}

/** In failing checks that would stay unexplained instead. Chosen on `fixtures/diagnosis/held-out.json`. */
const costOfDefect = 0.5;
const costOfContradiction = 0.3;
/** The tenth predicted check that passed says less than the first. */
const growthOfContradiction = 0.7;
/** Of two entries that fit alike, the one of which more was judged. */
const costOfUnjudged = 0.02;

function costOf(fit: Fit): number {
  return (
    costOfDefect +
    costOfContradiction * contradictions(fit) ** growthOfContradiction +
    costOfUnjudged * unjudgedElsewhere(fit)
  );
}

/** What a predicted check that passed counts where its requirement fails in another case: perhaps this one is spared. */
const contradictionBesideFailure = 0.4;

function contradictions({ against, explained }: Fit): number {
  const failing = new Set([...explained.keys()].map(requirementOf));
  return sum(against, (id) => (failing.has(requirementOf(id)) ? contradictionBesideFailure : 1));
}

/** Predicted checks that were not judged. What else a requirement shows that fails already would tell nothing new. */
function unjudgedElsewhere({ entry, against, hits, explained }: Fit): number {
  const judged = new Set([...against, ...hits]);
  const failing = new Set([...explained.keys()].map(requirementOf));
  return entry.predicted.filter(({ id, requirement }) => !judged.has(id) && !failing.has(requirement)).length;
}

function cheapest(fits: readonly Fit[]): readonly Fit[] {
  let chosen: readonly Fit[] = [];
  for (;;) {
    const next = best(additions(chosen, fits)) ?? best(replacements(chosen, fits));
    if (next === undefined) return chosen;
    chosen = next.added === undefined ? next.kept : [...next.kept, next.added];
  }
}

interface Move {
  readonly kept: readonly Fit[];
  readonly added?: Fit;
  /** How much cheaper it is then. */
  readonly gain: number;
}

/** What rounding may add up to. */
const leastGain = 1e-9;

/** @returns the first of the best moves; undefined when none makes it cheaper */
function best(moves: Iterable<Move>): Move | undefined {
  let first: Move | undefined;
  for (const move of moves) if (move.gain > (first?.gain ?? 0) + leastGain) first = move;
  return first;
}

function* additions(chosen: readonly Fit[], fits: readonly Fit[]): Iterable<Move> {
  const base = explainedBy(chosen);
  for (const fit of fits)
    if (!chosen.includes(fit)) yield { kept: chosen, added: fit, gain: worthOf(fit, base) };
}

function* replacements(chosen: readonly Fit[], fits: readonly Fit[]): Iterable<Move> {
  for (const dropped of chosen) {
    const kept = chosen.filter((fit) => fit !== dropped);
    const base = explainedBy(kept);
    const saved = -worthOf(dropped, base);
    yield { kept, gain: saved };
    for (const fit of fits)
      if (explainsSome(fit, dropped.explained) && !chosen.includes(fit))
        yield { kept, added: fit, gain: saved + worthOf(fit, base) };
  }
}

function withNearest(chosen: readonly Fit[], fits: readonly Fit[]): readonly Fit[] {
  const base = explainedBy(chosen);
  const [nearest] = fits
    .filter((fit) => !explainsSome(fit, base))
    .toSorted((a, b) => worthOf(b, base) - worthOf(a, base));
  return nearest === undefined ? chosen : withNearest([...chosen, nearest], fits);
}

/** The best fault of the way that explains most in the place of one that was chosen. */
function likeliest(fit: Fit, chosen: readonly Fit[], fits: readonly Fit[]): Fit {
  const [first] = standInsFor(fit, chosen, fits).toSorted((a, b) => b.ofWay - a.ofWay || b.worth - a.worth);
  return first?.fit ?? fit;
}

/** An entry in the place of one that was chosen, which itself is among them. */
interface StandIn {
  readonly fit: Fit;
  readonly worth: number;
  /** What the faults of its way are worth together. */
  readonly ofWay: number;
}

function standInsFor(fit: Fit, chosen: readonly Fit[], fits: readonly Fit[]): readonly StandIn[] {
  const others = explainedBy(chosen.filter((one) => one !== fit));
  const near = fits.filter(
    (one) => one === fit || (!chosen.includes(one) && explainsSome(one, fit.explained)),
  );
  const worths = near.map((one) => ({ fit: one, worth: worthOf(one, others) }));
  const ways = Map.groupBy(worths, (one) => wayOf(one.fit.entry.id));
  return [...ways.values()].flatMap((way) => {
    const ofWay = together(way.map(({ worth }) => worth));
    return way.map((one) => ({ ...one, ofWay }));
  });
}

/** How much worse than another one, in failing checks, a fault may be and still speak for their way. Chosen on the dictionary. */
const softness = 0.2;

/** @returns the greatest, and a little more for each that is nearly as great */
function together(worths: readonly number[]): number {
  const most = Math.max(...worths);
  return most + softness * Math.log(sum(worths, (worth) => Math.exp((worth - most) / softness)));
}

/** By failing check: how much of it the best of these explains. */
function explainedBy(fits: readonly Fit[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { explained } of fits)
    for (const [id, share] of explained) if (share > (most.get(id) ?? 0)) most.set(id, share);
  return most;
}

/** What an entry explains beyond the others, less what it costs. */
function worthOf(fit: Fit, others: ReadonlyMap<string, number>): number {
  let gain = 0;
  for (const [id, share] of fit.explained) gain += Math.max(0, share - (others.get(id) ?? 0));
  return gain - costOf(fit);
}

/** Each failing check is of the entry that explains most of it. Entries that are left without one are left out. */
function explanationsOf(
  chosen: readonly Fit[],
  fits: readonly Fit[],
  { failing }: Observations,
): readonly Explanation[] {
  const byFit = Map.groupBy(failing, ({ id }) => {
    const share = (fit: Fit): number => fit.explained.get(id) ?? 0;
    const [first] = chosen.toSorted((a, b) => share(b) - share(a));
    return first !== undefined && share(first) > 0 ? first : undefined;
  });
  const parts = chosen.flatMap((fit) => {
    const explains = byFit.get(fit)?.map(({ id }) => id) ?? [];
    return explains.length === 0 ? [] : [{ fit, explains, areas: new Set(explains.map(areaOf)) }];
  });
  return parts.map(({ fit, explains, areas }) => ({
    fit,
    explains,
    rivals: rivalsOf(fit, chosen, fits),
    beside: parts.filter((other) => other.fit !== fit && [...areas].some((area) => other.areas.has(area)))
      .length,
  }));
}

/** `REDIR` of `REDIR-08/case`. */
function areaOf(check: string): string {
  return requirementOf(check).replace(/-\d+$/u, "");
}

function rivalsOf(fit: Fit, chosen: readonly Fit[], fits: readonly Fit[]): readonly Rival[] {
  const standIns = standInsFor(fit, chosen, fits);
  const own = standIns.find((one) => one.fit === fit)?.ofWay ?? 0;
  return standIns
    .filter((one) => one.fit !== fit)
    .toSorted((a, b) => b.ofWay - a.ofWay || b.worth - a.worth || (a.fit.entry.id < b.fit.entry.id ? -1 : 1))
    .map((one) => ({ fit: one.fit, margin: own - one.ofWay }));
}

function explainsSome({ explained }: Fit, checks: ReadonlyMap<string, number>): boolean {
  for (const id of explained.keys()) if (checks.has(id)) return true;
  return false;
}
