import { readFileSync } from "node:fs";
import { suites } from "../suites.ts";
import type { Symptoms } from "./symptom.ts";

/** `fixtures/diagnosis/held-out.json`: what services with known defects look like that the dictionary was not made from. */
export interface HeldOutFile {
  readonly format: "mailproof-held-out/1";
  readonly defects: readonly HeldOutDefect[];
  /** Several of the defects at once, run together. */
  readonly combinations: readonly HeldOutRun[];
  /** What runs judged, by a name. */
  readonly coverage: Readonly<Record<string, Coverage>>;
}

interface Coverage {
  readonly suites: readonly string[];
  /** Checks of these suites that decided nothing, or were not run. */
  readonly undecided: readonly string[];
}

/** What a run showed. */
export interface HeldOutRun {
  /** Ids of the defects that the service had. */
  readonly defects: readonly string[];
  readonly coverage: string;
  readonly symptoms: Symptoms;
}

export interface HeldOutDefect extends HeldOutRun {
  readonly id: string;
  /**
   * `A`, `B` and `C` are services that share no code with the reference service; `mutant`: a change of it by machine. Nothing
   * was chosen or fitted with `C`: it is for the figures of the README.
   */
  readonly source: "A" | "B" | "C" | "mutant";
  /**
   * Faults of its kind: the same rule is broken in the same way, if for another client, resource, parameter, value or moment.
   * Said by comparing what both do, before looking at what fails.
   */
  readonly kind: readonly string[];
  /** Families of the rule that is broken. */
  readonly families: readonly string[];
}

/** A run with what it judged. */
export interface JudgedRun {
  readonly symptoms: Symptoms;
  readonly judged: ReadonlySet<string>;
}

export interface HeldOut {
  readonly defects: readonly (HeldOutDefect & JudgedRun)[];
  readonly combinations: readonly (HeldOutRun & JudgedRun)[];
}

/** What the method was developed and fitted with, and what it is measured on. */
export function splitHeldOut({ defects, combinations }: HeldOut): {
  readonly fitted: HeldOut;
  readonly kept: HeldOut;
} {
  const isKept = (id: string): boolean => id.startsWith("C/");
  const part = (wanted: boolean): HeldOut => ({
    defects: defects.filter(({ id }) => isKept(id) === wanted),
    combinations: combinations.filter((run) => run.defects.some(isKept) === wanted),
  });
  return { fitted: part(false), kept: part(true) };
}

const file = new URL("../../fixtures/diagnosis/held-out.json", import.meta.url);

export function readHeldOut(): HeldOut {
  const { defects, combinations, coverage } = JSON.parse(readFileSync(file, "utf8")) as HeldOutFile;
  const judgedBy = new Map(
    Object.entries(coverage).map(([name, covered]) => [name, judgedIn(covered)] as const),
  );
  const withJudged = <One extends HeldOutRun>(run: One): One & JudgedRun => ({
    ...run,
    judged: judgedBy.get(run.coverage) ?? new Set(),
  });
  return { defects: defects.map(withJudged), combinations: combinations.map(withJudged) };
}

function judgedIn(covered: Coverage): ReadonlySet<string> {
  const undecided = new Set(covered.undecided);
  const checks = suites.filter(({ name }) => covered.suites.includes(name)).flatMap((suite) => suite.checks);
  return new Set(checks.map(({ id }) => id).filter((id) => !undecided.has(id)));
}
