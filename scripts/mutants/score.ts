import type { JudgedMutant } from "./judge-mutants.ts";
import { wilsonInterval } from "../wilson-interval.ts";

/** Key of a mutant → why no check has to notice it: it changes nothing, or what it changes is open in the document. */
export type Explained = Readonly<Record<string, string>>;

/** How one area of the service fared. */
export interface AreaScore {
  readonly area: string;
  readonly mutants: number;
  /** A check failed, or warned where an RFC alone asks for it; or the service did not start or did not answer. */
  readonly noticed: number;
  /** Of those noticed, by a warning alone. */
  readonly warned: number;
  /** No check failed, but one could not decide any more: such a service is not certified. */
  readonly undecided: number;
  readonly explained: number;
  readonly unnoticed: number;
  readonly notReached: number;
}

/** The first folder of the file, below `fixtures/service`. */
export function areaOf({ file }: Pick<JudgedMutant, "file">): string {
  return file.includes("/") ? (file.split("/", 1)[0] ?? file) : "service";
}

/** A row for each area, by name, and one for all. */
export function scores(judged: readonly JudgedMutant[], explained: Explained): readonly AreaScore[] {
  const areas = Map.groupBy(judged, areaOf);
  const rows = [...areas].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [...rows, ["all", judged] as const].map(([area, mutants]) => scoreOf(area, mutants, explained));
}

function scoreOf(area: string, judged: readonly JudgedMutant[], explained: Explained): AreaScore {
  const count = (...hows: JudgedMutant["outcome"]["how"][]): number =>
    judged.filter(({ key, outcome }) => hows.includes(outcome.how) && explained[key] === undefined).length;
  return {
    area,
    mutants: judged.length,
    noticed: judged.filter(isNoticed).length,
    warned: judged.filter(({ outcome }) => outcome.how === "warn").length,
    undecided: count("undecided"),
    explained: judged.filter((mutant) => !isNoticed(mutant) && explained[mutant.key] !== undefined).length,
    unnoticed: count("unnoticed", "not judged"),
    notReached: count("not reached"),
  };
}

export function isNoticed({ outcome: { how } }: JudgedMutant): boolean {
  return how === "fail" || how === "warn" || how === "hangs" || how === "service does not start";
}

/** Share of the mutants to notice that were noticed, with the bounds of its 95 % interval after Wilson. */
export function shareNoticed({ mutants, noticed, explained }: AreaScore): {
  share: number;
  from: number;
  to: number;
} {
  const n = mutants - explained;
  return { share: n === 0 ? 1 : noticed / n, ...wilsonInterval(noticed, n) };
}
