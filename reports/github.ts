import { printable } from "./printable.ts";
import { factLines, reasonLines } from "./problem.ts";
import { byCause, type ReportedProblem, reportedProblems } from "./reported-problem.ts";
import type { Run, RunCheck } from "./run-format.ts";
import { counted } from "./format.ts";
import { someIds, totals } from "./totals.ts";

// GitHub shows ten errors and ten warnings of a step, and drops the rest without a word.
const mostOfAKind = 10;
// Longer texts are cut in the list of annotations anyway.
const longestText = 4000;

interface Annotation {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * A run as annotations of GitHub Actions, workflow commands that a step prints: an error for each problem, a warning for
 * each reason why something was not judged.
 */
export function renderGithub(run: Run): string {
  const errors = [
    ...reportedProblems(run).map(problemAnnotation),
    ...run.knownProblems.map((problem) => ({ title: "known result", lines: [problem] })),
  ];
  const warnings = [
    ...(run.isComplete
      ? []
      : [{ title: "incomplete", lines: [`the run ended before it judged everything: ${totals(run)}`] }]),
    ...[...byCause(run, "inconclusive"), ...byCause(run, "blocked")].map(undecidedAnnotation),
  ];
  const lines = [...commands("error", errors), ...commands("warning", warnings)];
  return lines.map((line) => `${line}\n`).join("");
}

function problemAnnotation(problem: ReportedProblem): Annotation {
  const { id, severity, headline, consequence, section, sureness, checks } = problem;
  const [first] = checks;
  return {
    title: `${id}${severity === undefined ? "" : ` ${severity}`}`,
    lines: [
      headline,
      ...[consequence, sureness].filter((line) => line !== undefined),
      ...factLines(first),
      `section   ${section}`,
      `${counted(checks.length, "check")} failed: ${someIds(checks.map((check) => check.id))}`,
    ],
  };
}

function undecidedAnnotation(checks: readonly [RunCheck, ...RunCheck[]]): Annotation {
  const [first] = checks;
  return {
    title: `${counted(checks.length, "check")} ${first.verdict}`,
    lines: [...reasonLines(first), someIds(checks.map(({ id }) => id))],
  };
}

function commands(kind: "error" | "warning", annotations: readonly Annotation[]): string[] {
  const leftOut = annotations.length - mostOfAKind;
  const shown =
    leftOut > 0
      ? [
          ...annotations.slice(0, mostOfAKind - 1),
          { title: "and more", lines: [`${leftOut + 1} more are in the report of the run`] },
        ]
      : annotations;
  return shown.map(({ title, lines }) => {
    const text = lines.map(printable).join("\n").slice(0, longestText).toWellFormed();
    return `::${kind} title=${property(printable(`mailproof: ${title}`))}::${data(text)}`;
  });
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
