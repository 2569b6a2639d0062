import { evidenceLines } from "./evidence.ts";
import { printable } from "./printable.ts";
import { reproductionWords } from "./reproduction.ts";
import { type Run, type RunCheck, unwrittenRun } from "./run-format.ts";
import { hasStory, storiesFolder, storyTestName } from "./story-test.ts";

const mostReadings = 2;
const longestReading = 250;

/** What there is to say of a check that did not simply pass, beside its sentence; each renderer shows it alike. */
export function problemLines(check: RunCheck, run: Run): string[] {
  return [...causeLines(check, run), ...evidenceLines(check, run)];
}

/** {@link problemLines} without the evidence. */
export function causeLines(check: RunCheck, run: Run): string[] {
  return [
    ...factLines(check),
    ...storyLines(check, run),
    ...explanationLines(check),
    ...sourceLines(check, run),
  ];
}

/** Where a story is kept as a test, for a run that has a folder. */
export function storyLines(check: RunCheck, { id }: Pick<Run, "id">): string[] {
  if (!hasStory(check) || id === unwrittenRun) return [];
  return [`kept as   ${storiesFolder}/${storyTestName(check)} in the folder of the run, for node --test`];
}

/** The same text for checks that one cause stopped, or that warn of the same. */
export function causeOf({ explainedBy, reason = "", known = "" }: RunCheck): string {
  return JSON.stringify([known, explainedBy ?? reason]);
}

/** Both sides of a violation, or else the reason. */
export function factLines(check: RunCheck): string[] {
  const { expected, observed = "", reproduced } = check;
  const repeated = reproduced === undefined ? [] : [`repeated  ${reproductionWords(reproduced)}`];
  if (expected === undefined) return [...reasonLines(check), ...repeated];
  return [`expected  ${printable(expected)}`, `observed  ${printable(observed)}`, ...repeated];
}

/** The target may have given the reason its text, so that it is one line; a defect of ours has a stack. */
export function reasonLines({ reason = "", defect }: RunCheck): string[] {
  if (reason === "") return [];
  const [first = "", ...stack] = defect ? reason.split("\n") : [reason];
  return [printable(first), ...stack.map((line) => `| ${printable(line)}`)];
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
