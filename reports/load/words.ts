import type { LoadComparison, LoadProfileRun, LoadRun, LoadThreshold } from "../load-format.ts";

/** Three digits, thousands set apart: 0.35, 12.4, 16,700. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  if (size >= 10) return trimmed(value.toFixed(1));
  if (size >= 0.1 || size === 0) return trimmed(value.toFixed(2));
  return trimmed(value.toPrecision(2));
}

function trimmed(text: string): string {
  return text.includes("e") || !text.includes(".") ? text : text.replace(/\.?0+$/u, "");
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString("en-US")} ${value === 1 ? one : many}`;
}

export function percent(share: number): string {
  return `${figure(share * 100)} %`;
}

/** A figure of a threshold with its unit. */
export function inUnits(kind: LoadThreshold["kind"], value: number): string {
  const { factor, suffix } = unitOf(kind);
  return `${figure(value * factor)}${suffix}`;
}

export function rangeInUnits(kind: LoadThreshold["kind"], [low, high]: readonly [number, number]): string {
  const { factor, suffix } = unitOf(kind);
  return `${figure(low * factor)} to ${figure(high * factor)}${suffix}`;
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
      return { factor: 1, suffix: " times" };
    case "knee":
      return { factor: 100, suffix: " % of capacity" };
    case "answered-share":
      return { factor: 100, suffix: " %" };
    case "p99-growth":
    case "memory-growth":
      return { factor: 100, suffix: " % an hour" };
    case "efficiency":
    case undefined:
      return { factor: 1, suffix: "" };
  }
}

export function limitInWords({ kind, bound, limit }: LoadThreshold): string {
  return `${bound === "at-least" ? "at least" : "at most"} ${inUnits(kind, limit)}`;
}

const thresholdWords: Record<LoadThreshold["verdict"], string> = {
  pass: "held",
  warn: "warning",
  missed: "missed",
  "not-judged": "not judged",
};

export type ShownVerdict = LoadThreshold["verdict"] | "void";

/** A figure of a measurement that says nothing about the target is neither held nor missed. */
export function shownVerdict({ verdict }: LoadThreshold, { invalid }: LoadProfileRun): ShownVerdict {
  return invalid.length > 0 && verdict !== "not-judged" ? "void" : verdict;
}

export function verdictInWords(verdict: ShownVerdict): string {
  return verdict === "void" ? "void" : thresholdWords[verdict];
}

export const profileWords: Record<LoadProfileRun["verdict"], string> = {
  holds: "holds",
  warns: "holds with a warning",
  missed: "threshold missed",
  violated: "document violated",
  invalid: "measured badly, no verdict",
};

export function worseInWords({ worseBy = 0 }: LoadComparison): string {
  if (Math.abs(worseBy) < 0.005) return "as before";
  return worseBy > 0 ? `worse by ${percent(worseBy)}` : `better by ${percent(-worseBy)}`;
}

export function durationInWords(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 90 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`;
}

/** Processor time of a sign-up, in the unit in which a person thinks of it. */
export function coreTimeInWords(seconds: number): string {
  if (seconds < 1) return `${figure(seconds * 1000)} ms`;
  if (seconds < 120) return `${figure(seconds)} s`;
  if (seconds < 7200) return `${figure(seconds / 60)} min`;
  return seconds < 172_800 ? `${figure(seconds / 3600)} h` : `${figure(seconds / 86_400)} days`;
}

export function targetInWords({ target }: LoadRun): string {
  return target.isEmbedded ? "the reference service" : target.authUrl;
}

/** How often a violation was seen. */
export function timesSeen({ repeated }: { readonly repeated: number }): string {
  return repeated === 0 ? "once" : `${(repeated + 1).toLocaleString("en-US")} times`;
}

const ofChance = 0.001;

/** Whether the proofs took as many tries as the difficulty asks for. */
export function triesInWords({
  solved,
  tries,
  expectedTries,
  pValue,
}: NonNullable<LoadRun["economics"]>): string {
  if (solved === 0) return "No proof of work was solved for this run.";
  const expected = solved * expectedTries;
  const facts = `${count(solved, "proof")} took ${count(tries, "try", "tries")} where about ${count(Math.round(expected), "try was", "tries were")} to be expected`;
  if (pValue === undefined) return `${facts}: too few to tell more.`;
  return pValue < ofChance
    ? `${facts}: chance does that in ${percent(pValue)} of all runs, so challenges may be easier or harder than the difficulty that they say.`
    : `${facts}: chance alone does that (p = ${figure(pValue)}).`;
}
