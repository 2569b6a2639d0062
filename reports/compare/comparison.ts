import type { Run, RunCheck, RunVerdict } from "../run-format.ts";
import { changeOf, type Change } from "./change.ts";
import { type TimingShift, timingShifts } from "./timing.ts";

/** How runs differ: of one target over time, or of several implementations. Renderers read this and nothing else. */
export interface Comparison {
  readonly format: "mailproof-compare/1";
  readonly runs: readonly ComparedRun[];
  /** Something is worse in a later run than in the first. */
  readonly isWorse: boolean;
  /** Of each later run against the first, in that order. */
  readonly against: readonly Against[];
  /** Requirements whose verdicts are not alike in all runs, in the order of the document. */
  readonly requirements: readonly MatrixRow[];
  /** Requirements that all runs judged alike. */
  readonly alike: number;
  /** Questions that the document leaves open, and that the targets answer differently. */
  readonly answers: readonly AnswerRow[];
}

/** What was executed. */
export interface ComparedRun {
  /** `A`, `B`, … */
  readonly name: string;
  readonly id: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: string;
  readonly suiteVersion: string;
  readonly isComplete: boolean;
  readonly checks: number;
  readonly counts: Run["counts"];
  readonly leftOut: number;
  /** Requirements of the document. */
  readonly decided: number;
  readonly requirements: number;
}

export interface Against {
  /** Of the later run. */
  readonly name: string;
  readonly changes: readonly Change[];
  /**
   * How many checks the first run judged and this one did not: it was interrupted, judges a selection, its profile leaves them
   * out, or its version of mailproof does not have them. Nothing is known of them.
   */
  readonly notJudged: number;
  readonly timing: readonly TimingShift[];
}

export interface MatrixRow {
  readonly id: string;
  readonly level: string;
  readonly statement: string;
  /** One for each run; null where it did not judge it. */
  readonly verdicts: readonly (RunVerdict | null)[];
}

export interface AnswerRow {
  readonly id: string;
  readonly question: string;
  /** One for each run; null where it was not asked. */
  readonly answers: readonly (string | null)[];
}

/** @param runs - at least two */
export function compareRuns(runs: readonly Run[]): Comparison {
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) throw new TypeError("expected at least two runs");
  const against = others.map((run, at) => {
    const changes = changesBetween(first, run);
    const notJudged = changes.filter(({ kind }) => kind === "gone").length;
    return { name: nameOf(at + 1), changes, notJudged, timing: timingShifts(first, run) };
  });
  const rows = matrixOf(runs);
  const differing = rows.filter(({ verdicts }) => new Set(verdicts).size > 1);
  return {
    format: "mailproof-compare/1",
    runs: runs.map(comparedRun),
    isWorse: against.some(({ changes }) => changes.some(({ isWorse }) => isWorse)),
    against,
    requirements: differing,
    alike: rows.length - differing.length,
    answers: answersOf(runs),
  };
}

function nameOf(at: number): string {
  const letter = String.fromCodePoint(65 + (at % 26));
  return at < 26 ? letter : `${letter}${Math.floor(at / 26)}`;
}

function comparedRun(run: Run, at: number): ComparedRun {
  return {
    name: nameOf(at),
    id: run.id,
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    target: run.target.isEmbedded ? "the embedded reference service" : run.target.authUrl,
    suiteVersion: run.suite.version,
    isComplete: run.isComplete,
    checks: run.checks.length,
    counts: run.counts,
    leftOut: run.leftOut.reduce((sum, { checks }) => sum + checks.length, 0),
    decided: run.coverage.decided,
    requirements: run.coverage.requirements,
  };
}

function changesBetween(before: Run, after: Run): Change[] {
  const [then, now] = [byId(before), byId(after)];
  return [...new Set([...now.keys(), ...then.keys()])].flatMap((id) => {
    const change = changeOf(id, then.get(id), now.get(id));
    return change === undefined ? [] : [change];
  });
}

function byId({ checks }: Run): Map<string, RunCheck> {
  return new Map(checks.map((check) => [check.id, check]));
}

/** Every requirement that some run judged. */
function matrixOf(runs: readonly Run[]): MatrixRow[] {
  const perRun = runs.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])));
  const statements = new Map(runs.flatMap(({ requirements }) => requirements.map((one) => [one.id, one])));
  return [...statements.values()].flatMap(({ id, level, statement }) => {
    const verdicts = perRun.map((requirements) => requirements.get(id)?.verdict ?? null);
    return verdicts.every((verdict) => verdict === null) ? [] : [{ id, level, statement, verdicts }];
  });
}

function answersOf(runs: readonly Run[]): AnswerRow[] {
  const perRun = runs.map(byId);
  const questions = new Map(runs.flatMap(({ checks }) => checks.map((check) => [check.id, check])));
  return [...questions.values()].flatMap(({ id, kind, sentence }) => {
    if (kind !== "observe") return [];
    const asked = perRun.map((checks) => checks.get(id));
    const differs = asked.some((check) =>
      asked.some(
        (other) =>
          check?.verdict === "observed" &&
          other?.verdict === "observed" &&
          changeOf(id, check, other) !== undefined,
      ),
    );
    const answers = asked.map((check) => (check?.verdict === "observed" ? (check.reason ?? "") : null));
    return differs ? [{ id, question: sentence, answers }] : [];
  });
}
