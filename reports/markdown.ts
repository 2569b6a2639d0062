import { leftBehindWords } from "./left-behind.ts";
import { codeBlock, codeSpan, prose } from "./markdown-text.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { problemLines } from "./problem.ts";
import { byCause, type ReportedProblem, reportedProblems } from "./reported-problem.ts";
import { type Run, type RunCheck, runVerdicts } from "./run-format.ts";
import { counted } from "./format.ts";
import { coverageWords, someIds, totals } from "./totals.ts";

// A step summary of GitHub may have 1 MiB; a longer one is lost.
const mostBytes = 900_000;

const outcomes: Readonly<Record<Outcome, string>> = {
  conforms: "conforms",
  violated: "does not conform",
  incomplete: "was not judged completely",
  defect: "could not be judged: mailproof has a defect",
};

/** A run for a page such as a job summary or a comment: the outcome, what is wrong, what was not decided, the totals. */
export function renderMarkdown(run: Run): string {
  const blocks = [
    `## ${codeSpan(run.target.authUrl)} ${outcomes[outcomeOf(run)]}`,
    `${prose(totals(run))}. ${prose(coverageWords(run))}.`,
    ...reportedProblems(run).map((problem) => problemBlock(problem, run)),
    ...knownBlock(run),
    ...undecidedBlock(run, "inconclusive"),
    ...undecidedBlock(run, "blocked"),
    ...undecidedBlock(run, "warn"),
    suiteTable(run),
    ...closing(run),
  ];
  return withinLimit(blocks);
}

function problemBlock(problem: ReportedProblem, run: Run): string {
  const { id, headline, choices, severity, consequence, sureness, cause, mend, section, checks, against } =
    problem;
  const [first] = checks;
  return [
    `### ✗ ${prose(id)} ${prose(headline)}`,
    ...choices.map((choice) => `- ${prose(choice)}`),
    [
      ...(severity === undefined ? [] : [`**${prose(severity)}**`]),
      ...[consequence, sureness && `${sureness}.`, cause, mend].flatMap((text) =>
        text === undefined ? [] : [prose(text)],
      ),
      `Section: ${prose(section)}.`,
      `${counted(checks.length, "check")} failed: ${prose(someIds(checks.map((check) => check.id)))}.`,
      ...(against.length === 0 ? [] : [`Against it: ${prose(someIds(against))} passed.`]),
    ].join("\n"),
    "<details><summary>Evidence</summary>",
    `${prose(first.id)}: ${prose(first.sentence)}`,
    codeBlock(problemLines(first, run)),
    "</details>",
  ].join("\n\n");
}

function knownBlock({ checks, knownProblems }: Run): string[] {
  const known = checks.flatMap(({ id, known: reason, verdict }) =>
    reason === undefined || verdict !== "fail" ? [] : [`- ${prose(id)}: ${codeSpan(reason)}`],
  );
  return [
    ...(known.length === 0 ? [] : [`### Known failures\n\n${known.join("\n")}`]),
    ...(knownProblems.length === 0
      ? []
      : [
          `### ✗ Known results that no longer hold\n\n${knownProblems.map((line) => `- ${codeSpan(line)}`).join("\n")}`,
        ]),
  ];
}

const titles = {
  inconclusive: "Inconclusive",
  blocked: "Blocked: the profile does not supply it",
  warn: "Warnings",
} as const;

function undecidedBlock(run: Run, verdict: keyof typeof titles): string[] {
  const groups = byCause(run, verdict);
  return groups.length === 0 ? [] : [`### ${titles[verdict]}\n\n${groups.map(groupLine).join("\n")}`];
}

function groupLine(checks: readonly [RunCheck, ...RunCheck[]]): string {
  const [{ reason = "" }] = checks;
  const ids = prose(someIds(checks.map(({ id }) => id)));
  return `- ${counted(checks.length, "check")}: ${codeSpan(reason)} (${ids})`;
}

function suiteTable(run: Run): string {
  const shown = runVerdicts.filter((verdict) => run.counts[verdict] > 0);
  const rows = [...Map.groupBy(run.checks, (check) => check.suite)].map(([suite, checks]) => {
    const counts = shown.map((verdict) => checks.filter((check) => check.verdict === verdict).length || "");
    return `| ${prose(suite)} | ${counts.join(" | ")} |`;
  });
  return [`| suite | ${shown.join(" | ")} |`, `| --- |${" ---: |".repeat(shown.length)}`, ...rows].join("\n");
}

function closing(run: Run): string[] {
  const { suite, leftBehind, id } = run;
  return [
    ...(leftBehind === undefined ? [] : [`Left behind: ${prose(leftBehindWords(leftBehind))}.`]),
    `Run ${prose(id)}, ${prose(suite.name)} ${prose(suite.version)}.`,
  ];
}

/** Whole blocks, as many as there is room for. */
function withinLimit(blocks: readonly string[]): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const block of blocks) {
    bytes += Buffer.byteLength(block) + 2;
    if (bytes > mostBytes) {
      kept.push(`… and more, which is too long for this page: run.json has it all.`);
      break;
    }
    kept.push(block);
  }
  return `${kept.join("\n\n")}\n`;
}
