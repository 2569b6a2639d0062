import type { RunFinding } from "../../reports/finding-format.ts";
import { shuffled } from "../shuffled.ts";
import { diagnose, type Knowledge } from "./diagnose.ts";
import type { Entry } from "./dictionary.ts";
import { familyOf, wayOf } from "./families.ts";
import { fitOf } from "./fit.ts";
import type { HeldOut, HeldOutDefect, JudgedRun } from "./held-out.ts";
import { imaginedChecks } from "./imagined-run.ts";
import { observationsOf } from "./observations.ts";

export type Defect = HeldOut["defects"][number];

/** Share of cases, with how many there are. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

/** What the findings of a run are worth, by what its service does wrong. */
export interface Judged {
  readonly findings: readonly RunFinding[];
  readonly truth: readonly HeldOutDefect[];
}

/** Defects that make a check fail: of others a report says nothing. */
export function failingDefects({ defects }: HeldOut): readonly Defect[] {
  return defects.filter(({ symptoms }) => Object.values(symptoms).some(({ verdict }) => verdict === "fail"));
}

export function judgeSingles(defects: readonly Defect[], knowledge: Knowledge): readonly Judged[] {
  return defects.map((defect) => ({ findings: findingsOf(defect, knowledge), truth: [defect] }));
}

/** Random groups of defects of different kinds, as if one service had them all: what each makes fail fails. */
export function judgeUnions(
  defects: readonly Defect[],
  size: number,
  count: number,
  knowledge: Knowledge,
): readonly Judged[] {
  return unionsOf(
    defects.filter(({ kind }) => kind.length > 0),
    size,
    count,
  ).map((truth) => ({
    findings: findingsOf(unionOf(truth), knowledge),
    truth,
  }));
}

/** Services that really had several of the defects, which can hide each other. */
export function judgeCombinations(
  combinations: HeldOut["combinations"],
  defects: readonly Defect[],
  knowledge: Knowledge,
): readonly Judged[] {
  return combinations.map((run) => ({
    findings: findingsOf(run, knowledge),
    truth: defects.filter(({ id }) => run.defects.includes(id)),
  }));
}

function findingsOf(run: JudgedRun, knowledge: Knowledge): readonly RunFinding[] {
  return diagnose({ checks: imaginedChecks(run.symptoms, run.judged) }, knowledge);
}

export function unionsOf(defects: readonly Defect[], size: number, count: number): Defect[][] {
  const unions: Defect[][] = [];
  for (let seed = 1; unions.length < count && seed < 20 * count; seed += 1) {
    const group = shuffled(defects, seed * 7919).slice(0, size);
    const kinds = group.flatMap(({ kind }) => kind);
    if (new Set(kinds).size === kinds.length) unions.push(group);
  }
  return unions;
}

export function unionOf(runs: readonly JudgedRun[]): JudgedRun {
  const symptoms = Object.assign({}, ...runs.map((run) => run.symptoms)) as JudgedRun["symptoms"];
  const [first, ...others] = runs.map(({ judged }) => judged);
  const byAll = [...(first ?? [])].filter((id) => others.every((judged) => judged.has(id)));
  return { symptoms, judged: new Set([...byAll, ...Object.keys(symptoms)]) };
}

export function isKind(fault: string | undefined, truth: readonly HeldOutDefect[]): boolean {
  return fault !== undefined && truth.some(({ kind }) => kind.some((one) => wayOf(one) === wayOf(fault)));
}

export function isRule(fault: string | undefined, truth: readonly HeldOutDefect[]): boolean {
  const family = fault === undefined ? undefined : familyOf(fault)?.id;
  return family !== undefined && truth.some(({ families }) => families.includes(family));
}

/** Some entry of its kind predicts a check that failed, or a like case of its requirement. Otherwise nothing that failed points to it. */
export function isInReach(defect: Defect, entries: readonly Entry[]): boolean {
  const observations = observationsOf({ checks: imaginedChecks(defect.symptoms, defect.judged) });
  return entries.some((entry) => isKind(entry.id, [defect]) && fitOf(entry, observations) !== undefined);
}

/** The faults that a report names: first those of the finding that explains most failures, which a reader would fix first. */
export function namedFaults(findings: readonly RunFinding[]): readonly string[] {
  const defects = findings
    .filter(({ kind }) => kind === "defect")
    .toSorted(
      (a, b) =>
        b.explains.length - a.explains.length || (b.confidence?.defect ?? 0) - (a.confidence?.defect ?? 0),
    );
  const [first] = defects;
  return [
    ...defects.slice(0, 1).flatMap(({ fault }) => fault ?? []),
    ...(first?.alternatives.map(({ fault }) => fault) ?? []),
    ...defects.slice(1).flatMap(({ fault }) => fault ?? []),
  ];
}

export function share(cases: readonly Judged[], isRight: (one: Judged) => boolean): Share {
  return { right: cases.filter(isRight).length, of: cases.length };
}

/** Every defect is the fault of a finding. */
export function namesAll({ findings, truth }: Judged): boolean {
  return truth.every((defect) => findings.some(({ fault }) => isKind(fault, [defect])));
}
