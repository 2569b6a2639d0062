import { evidenceLines } from "./evidence.ts";
import { printable } from "./printable.ts";
import type { Run, RunCheck } from "./run-format.ts";

const mostReadings = 2;
const longestReading = 250;

/** What there is to say of a check that did not simply pass, beside its sentence; each renderer shows it alike. */
export function problemLines(check: RunCheck, run: Run): string[] {
  return [
    ...factLines(check),
    ...explanationLines(check),
    ...sourceLines(check, run),
    ...evidenceLines(check, run),
  ];
}

/** Both sides of a violation, or else the reason. */
export function factLines({ expected, observed = "", reason = "" }: RunCheck): string[] {
  if (expected !== undefined) return [`expected  ${printable(expected)}`, `observed  ${printable(observed)}`];
  return reason === "" ? [] : reason.split("\n").map(printable);
}

export function explanationLines({ explainedBy }: RunCheck): string[] {
  return explainedBy === undefined ? [] : [`explained by ${explainedBy.join(", ")}`];
}

function sourceLines({ requirement, interpretations = [], verdict }: RunCheck, run: Run): string[] {
  if (verdict !== "fail") return [];
  const readings = run.interpretations.filter(({ id }) => interpretations.includes(id));
  const leftOut = readings.slice(mostReadings).map(({ id }) => id);
  return [
    `section   ${requirement.section} (${requirement.level})`,
    ...readings
      .slice(0, mostReadings)
      .map(({ id, question, reading }) => `reading taken: ${id}: ${shortened(`${question} ${reading}`)}`),
    ...(leftOut.length === 0 ? [] : [`more readings in run.json: ${leftOut.join(", ")}`]),
  ];
}

function shortened(text: string): string {
  return text.length <= longestReading ? text : `${text.slice(0, longestReading).replace(/\s+\S*$/u, "")} …`;
}
