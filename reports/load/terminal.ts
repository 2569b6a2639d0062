import type { LoadComparison, LoadProfileRun, LoadRun, LoadThreshold } from "../load-format.ts";
import { printable } from "../printable.ts";
import { runVerdict } from "./run-verdict.ts";
import { statsOf, measuredPhases, type StreamStats } from "./stream-stats.ts";
import { formatCount, formatDuration, formatNumber } from "../format.ts";
import {
  formatCoreTime,
  formatValue,
  formatLimit,
  profileVerdictText,
  formatRange,
  targetName,
  type ShownVerdict,
  shownVerdict,
  formatOccurrences,
  describeTries,
  thresholdVerdictText,
  formatChange,
} from "./format.ts";

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
  invalid: "?",
};

/** A load run as text for the terminal: a block per profile, and a summary as the last line. */
export function renderLoadTerminal(run: LoadRun): string {
  return [
    "",
    heading(run),
    ...run.profiles.flatMap((profile) => ["", ...profileBlock(profile, run.units)]),
    ...economicsBlock(run),
    ...baselineBlock(run),
    "",
    summaryLine(run),
    "",
  ]
    .map(printable)
    .join("\n");
}

function heading(run: LoadRun): string {
  const { scryptMs, cores, isMeasured } = run.units;
  const source = isMeasured ? "measured on this machine" : "set in the profile";
  const part = run.shard === undefined ? "" : `, shard ${run.shard.index + 1} of ${run.shard.count}`;
  return `load run ${run.id} of ${targetName(run)}${part}${run.isShort ? ", short" : ""}: scrypt time S = ${formatNumber(scryptMs)} ms, C = ${formatCount(cores, "core")} (${source})`;
}

function profileBlock(profile: LoadProfileRun, units: LoadRun["units"]): string[] {
  const stats = measuredPhases(profile.phases).flatMap((phase) =>
    phase.streams.map((stream) => statsOf(phase, stream, units)),
  );
  return [
    `${profileMarks[profile.verdict]} ${profile.name}: ${profileVerdictText[profile.verdict]}`,
    `  ${profile.question}`,
    ...(stats.length === 0 ? [] : ["", ...streamTable(stats)]),
    ...(profile.thresholds.length === 0
      ? []
      : ["", ...profile.thresholds.flatMap((threshold) => thresholdLines(threshold, profile))]),
    ...(profile.invalid.length === 0
      ? []
      : ["", "  invalid measurement:", ...profile.invalid.map(({ text }) => `  ? ${text}`)]),
    ...(profile.violations.length === 0
      ? []
      : ["", "  violations:", ...profile.violations.flatMap(violationLines)]),
  ];
}

function streamTable(stats: readonly StreamStats[]): string[] {
  const hasEfficiency = stats.some(({ efficiency }) => efficiency !== undefined);
  const header = ["", "", "responses/s", "p50 ms", "p99 ms", "max ms", "shed", "errors"];
  const rows = stats.map((each, at) => [
    stats[at - 1]?.phase === each.phase ? "" : each.phase,
    each.stream,
    formatNumber(each.perSecond),
    formatMs(each.p50Ms),
    each.isP99Unreliable && each.p99Ms !== undefined ? `~${formatNumber(each.p99Ms)}` : formatMs(each.p99Ms),
    formatMs(each.maxMs),
    each.shed === 0 ? "·" : formatNumber(each.shed),
    each.errors === 0 ? "·" : formatNumber(each.errors),
    ...(hasEfficiency ? [each.efficiency === undefined ? "" : formatNumber(each.efficiency)] : []),
  ]);
  const isUnreliable = stats.some(({ isP99Unreliable, p99Ms }) => isP99Unreliable && p99Ms !== undefined);
  return [
    ...alignColumns([hasEfficiency ? [...header, "efficiency"] : header, ...rows], 2),
    ...(isUnreliable ? ["    ~ unreliable: fewer than 1,000 responses"] : []),
  ];
}

function formatMs(ms: number | undefined): string {
  return ms === undefined ? "–" : formatNumber(ms);
}

/** @param textColumns - number of left-aligned columns; the others are right-aligned */
function alignColumns(rows: readonly (readonly string[])[], textColumns: number): string[] {
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
  const range = interval === undefined ? "" : ` (95 % interval ${formatRange(kind, interval)})`;
  const measured = value === undefined ? (reason ?? "no value") : `${formatValue(kind, value)}${range}`;
  return [
    `  ${thresholdMarks[shown]} ${claim}`,
    `      ${thresholdVerdictText(shown)}: ${measured}; limit: ${formatLimit(threshold)}`,
  ];
}

function violationLines(violation: LoadProfileRun["violations"][number]): string[] {
  const [first] = violation.exchanges;
  const evidence =
    first === undefined
      ? []
      : [
          `      ${first.request.method} ${first.request.url} → ${first.response.status === 0 ? "no response" : first.response.status} after ${formatNumber(first.durationMs)} ms; full exchange in load.json`,
        ];
  return [
    `  ✗ ${violation.step}, ${formatOccurrences(violation)}`,
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
    `${formatNumber(line.hashesPerSecond)}/s`,
    formatCoreTime(line.signupCoreSeconds),
    `${formatNumber(line.solveToVerify)} : 1`,
  ]);
  return [
    "",
    `cost of a sign-up at a difficulty of ${formatCount(difficultyBits, "bit")}: ${formatCount(expectedTries, "attempt")} on average; verification takes one scrypt of ${formatNumber(verifyMs)} ms`,
    ...alignColumns([["", "", "", "hashes", "CPU time", "solve : verify"], ...rows], 3),
    `    ${describeTries(economics)}`,
  ];
}

function baselineBlock({ baseline, profiles }: LoadRun): string[] {
  if (baseline === undefined) return [];
  const compared = baseline.comparisons.filter(({ notCompared }) => notCompared === undefined);
  const regressions = compared.filter(({ isRegression }) => isRegression);
  const others = baseline.comparisons.filter(({ notCompared }) => notCompared !== undefined);
  return [
    "",
    `compared with ${baseline.id}: ${formatCount(regressions.length, "regression")} in ${formatCount(compared.length, "threshold")}`,
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
  const shown = (value: number | undefined): string => (value === undefined ? "–" : formatValue(kind, value));
  const range = interval === undefined ? "" : ` (${formatRange(kind, interval)})`;
  return `  ✗ ${profile}/${threshold}: ${shown(before)} before${range}, ${shown(now)} now, ${formatChange(row)}`;
}

function summaryLine(run: LoadRun): string {
  const verdicts = (["holds", "warns", "missed", "violated", "invalid"] as const).flatMap((verdict) => {
    const found = run.profiles.filter((profile) => profile.verdict === verdict).length;
    return found === 0 ? [] : [`${found} ${summaryWords[verdict]}`];
  });
  const total = `${formatCount(run.profiles.length, "profile")} in ${formatDuration(run.durationMs)}`;
  return `${total}${verdicts.length === 0 ? "" : ` (${verdicts.join(", ")})`}: ${runVerdict(run).text}`;
}

const summaryWords: Record<LoadProfileRun["verdict"], string> = {
  holds: "passed",
  warns: "passed with warnings",
  missed: "missed a threshold",
  violated: "violated the document",
  invalid: "invalid",
};
