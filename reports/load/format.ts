import { formatCount, formatNumber } from "../format.ts";
import type { LoadComparison, LoadProfileRun, LoadRun, LoadThreshold } from "../load-format.ts";

function formatPercent(share: number): string {
  return `${formatNumber(share * 100)} %`;
}

/** The value of a threshold with its unit. */
export function formatValue(kind: LoadThreshold["kind"], value: number): string {
  const { factor, suffix } = unitOf(kind);
  return `${formatNumber(value * factor)}${suffix}`;
}

export function formatRange(kind: LoadThreshold["kind"], [low, high]: readonly [number, number]): string {
  const { factor, suffix } = unitOf(kind);
  return `${formatNumber(low * factor)} to ${formatNumber(high * factor)}${suffix}`;
}

function unitOf(kind: LoadThreshold["kind"]): { factor: number; suffix: string } {
  switch (kind) {
    case "latency-in-scrypts":
      return { factor: 1, suffix: " S" };
    case "latency-ms":
      return { factor: 1, suffix: " ms" };
    case "rate":
      return { factor: 1, suffix: "/s" };
    case "rate-ratio":
    case "recovery":
      return { factor: 1, suffix: " ×" };
    case "knee":
      return { factor: 100, suffix: " % of capacity" };
    case "answered-share":
      return { factor: 100, suffix: " %" };
    case "p99-growth":
    case "memory-growth":
      return { factor: 100, suffix: " % per hour" };
    case "efficiency":
    case undefined:
      return { factor: 1, suffix: "" };
  }
}

export function formatLimit({ kind, bound, limit }: LoadThreshold): string {
  return `${bound === "at-least" ? "at least" : "at most"} ${formatValue(kind, limit)}`;
}

const thresholdVerdictTexts: Record<LoadThreshold["verdict"], string> = {
  pass: "passed",
  warn: "warning",
  missed: "missed",
  "not-judged": "not judged",
};

export type ShownVerdict = LoadThreshold["verdict"] | "invalid";

/** In an invalid measurement, a threshold is neither passed nor missed. */
export function shownVerdict({ verdict }: LoadThreshold, { invalid }: LoadProfileRun): ShownVerdict {
  return invalid.length > 0 && verdict !== "not-judged" ? "invalid" : verdict;
}

export function thresholdVerdictText(verdict: ShownVerdict): string {
  return verdict === "invalid" ? "invalid" : thresholdVerdictTexts[verdict];
}

export const profileVerdictText: Record<LoadProfileRun["verdict"], string> = {
  holds: "passed",
  warns: "passed with warnings",
  missed: "threshold missed",
  violated: "document violated",
  invalid: "invalid measurement, no verdict",
};

export function formatChange({ worseBy = 0 }: LoadComparison): string {
  if (Math.abs(worseBy) < 0.005) return "unchanged";
  return worseBy > 0 ? `worse by ${formatPercent(worseBy)}` : `better by ${formatPercent(-worseBy)}`;
}

/** CPU time, in ms up to days. */
export function formatCoreTime(seconds: number): string {
  if (seconds < 1) return `${formatNumber(seconds * 1000)} ms`;
  if (seconds < 120) return `${formatNumber(seconds)} s`;
  if (seconds < 7200) return `${formatNumber(seconds / 60)} min`;
  return seconds < 172_800 ? `${formatNumber(seconds / 3600)} h` : `${formatNumber(seconds / 86_400)} days`;
}

export function targetName({ target }: LoadRun): string {
  return target.isEmbedded ? "the reference service" : target.authUrl;
}

/** How many times a violation was observed. */
export function formatOccurrences({ repeated }: { readonly repeated: number }): string {
  return repeated === 0 ? "once" : `${(repeated + 1).toLocaleString("en-US")} times`;
}

const significanceLevel = 0.001;

/** Whether the number of attempts is consistent with the difficulty. */
export function describeTries({
  solved,
  tries,
  expectedTries,
  pValue,
}: NonNullable<LoadRun["economics"]>): string {
  if (solved === 0) return "No proof of work was solved for this run.";
  const expected = solved * expectedTries;
  const facts = `${formatCount(solved, "proof")} took ${formatCount(tries, "attempt")}; about ${formatCount(Math.round(expected), "attempt")} expected`;
  if (pValue === undefined) return `${facts} (too few proofs for a test).`;
  return pValue < significanceLevel
    ? `${facts} (p = ${formatNumber(pValue)}): the actual difficulty may differ from the stated one.`
    : `${facts}: consistent with the difficulty (p = ${formatNumber(pValue)}).`;
}
