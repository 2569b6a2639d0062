import { readFileSync } from "node:fs";
import { suites } from "../suites.ts";
import type { Symptoms } from "./symptom.ts";

/** `fixtures/faults/diagnosis/held-out.json`: what services with known defects look like that the dictionary was not made from. */
export interface HeldOutFile {
  readonly format: "mailproof-held-out/1";
  readonly defects: readonly HeldOutDefect[];
  /** Several of the defects at once, run together. */
  readonly combinations: readonly HeldOutRun[];
}

/** What a run showed. */
export interface HeldOutRun {
  /** Ids of the defects that the service had. */
  readonly defects: readonly string[];
  /** The suites that were run, and their checks that decided nothing. */
  readonly suites: readonly string[];
  readonly undecided: readonly string[];
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

const file = new URL("../../fixtures/faults/diagnosis/held-out.json", import.meta.url);

export function readHeldOut(): HeldOutFile {
  return JSON.parse(readFileSync(file, "utf8")) as HeldOutFile;
}

/** Ids of the checks that a run judged. */
export function judgedIn({ suites: names, undecided }: HeldOutRun): ReadonlySet<string> {
  const ids = suites.filter(({ name }) => names.includes(name)).flatMap(({ checks }) => checks);
  return new Set(ids.map(({ id }) => id).filter((id) => !undecided.includes(id)));
}
