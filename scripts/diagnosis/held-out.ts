import { readFileSync } from "node:fs";
import { suites } from "../suites.ts";
import type { Symptoms } from "./symptom.ts";

/** `fixtures/diagnosis/held-out.json`: what services with known defects look like that the dictionary was not made from. */
export interface HeldOutFile {
  readonly format: "mailproof-held-out/1";
  /** All checks that there were when the newest of these runs were made. Of later ones they say nothing. */
  readonly checks: readonly string[];
  /** By source: those of them that came after its runs. */
  readonly later: Readonly<Record<RunsOf, readonly string[]>>;
  readonly defects: readonly HeldOutDefect[];
  /** Several of the defects at once, run together. */
  readonly combinations: readonly HeldOutRun[];
  /** What runs judged, by a name. */
  readonly coverage: Readonly<Record<string, Coverage>>;
}

/** Services whose runs were made at one time: those of `B` and the mutants with those of `A`. */
type RunsOf = "A" | "C" | "D" | "E" | "F" | "G" | "H" | "I";

interface Coverage {
  readonly runs: RunsOf;
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
   * `A` to `I` are services that share no code with the reference service or each other; `mutant`: a change of the reference
   * service by machine.
   */
  readonly source: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "mutant";
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

const file = new URL("../../fixtures/diagnosis/held-out.json", import.meta.url);

export function readHeldOut(): HeldOut {
  const held = JSON.parse(readFileSync(file, "utf8")) as HeldOutFile;
  const { defects, combinations, coverage } = held;
  const judgedBy = new Map(
    Object.entries(coverage).map(([name, covered]) => [name, judgedIn(covered, held)] as const),
  );
  const withJudged = <One extends HeldOutRun>(run: One): One & JudgedRun => ({
    ...run,
    judged: judgedBy.get(run.coverage) ?? new Set(),
  });
  return { defects: defects.map(withJudged), combinations: combinations.map(withJudged) };
}

function judgedIn(
  { runs, suites: run, undecided }: Coverage,
  { checks, later }: Pick<HeldOutFile, "checks" | "later">,
): ReadonlySet<string> {
  const known = new Set(checks);
  const unjudged = new Set([...later[runs], ...undecided]);
  const inSuites = suites.filter(({ name }) => run.includes(name)).flatMap((suite) => suite.checks);
  return new Set(inSuites.map(({ id }) => id).filter((id) => known.has(id) && !unjudged.has(id)));
}
