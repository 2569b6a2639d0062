import type { LoadComparison, LoadProfileRun, LoadRun, LoadThreshold } from "../load-format.ts";
import { runVerdict } from "./run-verdict.ts";
import { figuresOf, measuredPhases, type StreamFigures } from "./stream-figures.ts";
import {
  coreTimeInWords,
  count,
  durationInWords,
  figure,
  inUnits,
  limitInWords,
  profileWords,
  rangeInUnits,
  targetInWords,
  type ShownVerdict,
  shownVerdict,
  timesSeen,
  triesInWords,
  verdictInWords,
  worseInWords,
} from "./words.ts";

const profileMarks: Record<LoadProfileRun["verdict"], string> = {
  holds: "✓",
  warns: "!",
  missed: "✗",
  violated: "✗",
  invalid: "?",
};

const thresholdMarks: Record<ShownVerdict, string> = {
  pass: "✓",
  warn: "!",
  missed: "✗",
  "not-judged": "?",
  void: "?",
};

/** The result of a load run for a person at a terminal: a block a profile, and the sum in the last line. */
export function renderLoadTerminal(run: LoadRun): string {
  return [
    "",
    heading(run),
    ...run.profiles.flatMap((profile) => ["", ...profileBlock(profile, run.units)]),
    ...economicsBlock(run),
    ...baselineBlock(run),
    "",
    closing(run),
    "",
  ]
    .map(printable)
    .join("\n");
}

// What a target answers must not move the cursor.
function printable(line: string): string {
  return line.replaceAll(/[\u{0}-\u{1F}\u{7F}-\u{9F}]/gu, "\u{FFFD}");
}

function heading(run: LoadRun): string {
  const { scryptMs, cores, isMeasured } = run.units;
  const source = isMeasured ? "measured here" : "as the profile says";
  const part = run.shard === undefined ? "" : `, shard ${run.shard.index + 1} of ${run.shard.count}`;
  return `load ${run.id} of ${targetInWords(run)}${part}${run.isShort ? ", short" : ""}: one scrypt S = ${figure(scryptMs)} ms, C = ${count(cores, "core")} (${source})`;
}

function profileBlock(profile: LoadProfileRun, units: LoadRun["units"]): string[] {
  const figures = measuredPhases(profile.phases).flatMap((phase) =>
    phase.streams.map((stream) => figuresOf(phase, stream, units)),
  );
  return [
    `${profileMarks[profile.verdict]} ${profile.name}: ${profileWords[profile.verdict]}`,
    `  ${profile.question}`,
    ...(figures.length === 0 ? [] : ["", ...figuresTable(figures)]),
    ...(profile.thresholds.length === 0
      ? []
      : ["", ...profile.thresholds.flatMap((threshold) => thresholdLines(threshold, profile))]),
    ...(profile.invalid.length === 0
      ? []
      : ["", "  this says nothing about the target:", ...profile.invalid.map(({ text }) => `  ? ${text}`)]),
    ...(profile.violations.length === 0
      ? []
      : ["", "  violations:", ...profile.violations.flatMap(violationLines)]),
  ];
}

function figuresTable(figures: readonly StreamFigures[]): string[] {
  const hasEfficiency = figures.some(({ efficiency }) => efficiency !== undefined);
  const header = ["", "", "answers/s", "p50 ms", "p99 ms", "max ms", "shed", "errors"];
  const rows = figures.map((of, at) => [
    figures[at - 1]?.phase === of.phase ? "" : of.phase,
    of.stream,
    figure(of.perSecond),
    orNone(of.p50Ms),
    of.isP99Rough && of.p99Ms !== undefined ? `~${figure(of.p99Ms)}` : orNone(of.p99Ms),
    orNone(of.maxMs),
    of.shed === 0 ? "·" : figure(of.shed),
    of.errors === 0 ? "·" : figure(of.errors),
    ...(hasEfficiency ? [of.efficiency === undefined ? "" : figure(of.efficiency)] : []),
  ]);
  const isRough = figures.some(({ isP99Rough, p99Ms }) => isP99Rough && p99Ms !== undefined);
  return [
    ...aligned([hasEfficiency ? [...header, "efficiency"] : header, ...rows], 2),
    ...(isRough ? ["    ~ of fewer than 1,000 answers: a matter of chance"] : []),
  ];
}

function orNone(ms: number | undefined): string {
  return ms === undefined ? "–" : figure(ms);
}

/** @param textColumns - that many are text and stand left; numbers stand right */
function aligned(rows: readonly (readonly string[])[], textColumns: number): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    `    ${widths
      .map((width, at) =>
        at < textColumns ? (row[at] ?? "").padEnd(width) : (row[at] ?? "").padStart(width),
      )
      .join("  ")}`.trimEnd(),
  );
}

function thresholdLines(threshold: LoadThreshold, profile: LoadProfileRun): string[] {
  const shown = shownVerdict(threshold, profile);
  const { kind, claim, value, reason, interval } = threshold;
  const range = interval === undefined ? "" : ` (95 % interval ${rangeInUnits(kind, interval)})`;
  const found = value === undefined ? (reason ?? "no figure") : `${inUnits(kind, value)}${range}`;
  return [
    `  ${thresholdMarks[shown]} ${claim}`,
    `      ${verdictInWords(shown)}: ${found}; the limit is ${limitInWords(threshold)}`,
  ];
}

function violationLines(violation: LoadProfileRun["violations"][number]): string[] {
  const [first] = violation.exchanges;
  const evidence =
    first === undefined
      ? []
      : [
          `      ${first.request.method} ${first.request.url} → ${first.response.status === 0 ? "no answer" : first.response.status} after ${figure(first.durationMs)} ms; the whole exchange is in load.json`,
        ];
  return [
    `  ✗ ${violation.step}, ${timesSeen(violation)}`,
    `      expected ${violation.expected}`,
    `      observed ${violation.observed}`,
    ...evidence,
  ];
}

function economicsBlock({ economics }: LoadRun): string[] {
  if (economics === undefined) return [];
  const { difficultyBits, expectedTries, verifyMs, solvers } = economics;
  const rows = solvers.map((line) => [
    line.where,
    line.solver,
    line.basis,
    `${figure(line.hashesPerSecond)}/s`,
    coreTimeInWords(line.signupCoreSeconds),
    `${figure(line.solveToVerify)} : 1`,
  ]);
  return [
    "",
    `what a sign-up costs at ${count(difficultyBits, "bit")}: ${count(expectedTries, "try", "tries")} on average, and the target one scrypt of ${figure(verifyMs)} ms`,
    ...aligned([["", "", "", "hashes", "core time", "to the target's"], ...rows], 3),
    `    ${triesInWords(economics)}`,
  ];
}

function baselineBlock({ baseline, profiles }: LoadRun): string[] {
  if (baseline === undefined) return [];
  const compared = baseline.comparisons.filter(({ notCompared }) => notCompared === undefined);
  const regressions = compared.filter(({ isRegression }) => isRegression);
  const others = baseline.comparisons.filter(({ notCompared }) => notCompared !== undefined);
  return [
    "",
    `compared with ${baseline.id}: ${count(regressions.length, "regression")} in ${count(compared.length, "figure")}`,
    ...regressions.map((row) => comparisonLine(row, profiles)),
    ...others.map(
      ({ profile, threshold, notCompared = "" }) =>
        `  · ${profile}/${threshold} not compared: ${notCompared}`,
    ),
  ];
}

function comparisonLine(row: LoadComparison, profiles: LoadRun["profiles"]): string {
  const { profile, threshold, before, now, interval } = row;
  const kind = profiles
    .find(({ name }) => name === profile)
    ?.thresholds.find(({ id }) => id === threshold)?.kind;
  const shown = (value: number | undefined): string => (value === undefined ? "–" : inUnits(kind, value));
  const range = interval === undefined ? "" : ` (${rangeInUnits(kind, interval)})`;
  return `  ✗ ${profile}/${threshold}: ${shown(before)} before${range}, ${shown(now)} now, ${worseInWords(row)}`;
}

function closing(run: LoadRun): string {
  const verdicts = (["holds", "warns", "missed", "violated", "invalid"] as const).flatMap((verdict) => {
    const found = run.profiles.filter((profile) => profile.verdict === verdict).length;
    return found === 0 ? [] : [`${found} ${closingWords[verdict]}`];
  });
  const sum = `${count(run.profiles.length, "profile")} in ${durationInWords(run.durationMs)}`;
  return `${sum}${verdicts.length === 0 ? "" : ` (${verdicts.join(", ")})`}: ${runVerdict(run).text}`;
}

const closingWords: Record<LoadProfileRun["verdict"], string> = {
  holds: "held",
  warns: "with warnings",
  missed: "missed",
  violated: "violated",
  invalid: "without verdict",
};
