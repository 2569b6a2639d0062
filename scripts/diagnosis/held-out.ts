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
  /** `A` and `B` are services that share no code with the reference service; `mutant`: a change of it by machine. */
  readonly source: "A" | "B" | "mutant";
  /**
   * Faults of its kind: the same rule is broken in the same way, if for another parameter. Said by comparing what both do,
   * before looking at what fails.
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
