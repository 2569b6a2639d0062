import type { RunFinding } from "./finding-format.ts";
import type { Run } from "./run-format.ts";

/** What every renderer says of a finding. */
export interface FindingWords {
  /** One sentence that claims no more than the confidence allows. */
  readonly headline: string;
  /** What the headline leaves open: the defects that fit about equally well, best first. Empty when one stands out. */
  readonly choices: readonly string[];
  /** `97 % sure that it is this defect, 99 % that it is this rule`; absent where nothing was looked up. */
  readonly sureness?: string;
}

/** From which confidence on the defect is named without reserve, named as the likeliest, and named at all. */
const sure = 0.9;
const likely = 0.6;
const possible = 0.3;

/** An alternative is as good as the first within this much, and worth naming beside a weak one from this share of it on. */
const smallMargin = 0.1;
const worthNaming = 1 / 3;

/** @param run - the run that the finding is of: a weak finding is named by the requirement that failed */
export function findingWords(finding: RunFinding, run: Pick<Run, "checks">): FindingWords {
  const { sentence, confidence } = finding;
  if (confidence === undefined) return { headline: sentence, choices: [] };
  const sureness = confidenceText(confidence);
  const close = finding.alternatives.filter(
    (other) => confidence.defect - other.confidence < smallMargin && other.confidence > 0,
  );
  const choices = [sentence, ...close.map((other) => other.sentence)];
  const open = choices.length > 1 ? choices : [];
  if (confidence.defect >= sure) return { headline: sentence, choices: open, sureness };
  if (confidence.defect >= likely)
    return { headline: orAlike("Most likely", sentence), choices: open, sureness };
  const others = finding.alternatives.filter((other) => other.confidence >= worthNaming * confidence.defect);
  const all = [sentence, ...others.map((other) => other.sentence)];
  if (confidence.defect < possible) return { headline: violatedBy(finding, run), choices: all, sureness };
  return all.length === 1
    ? { headline: orAlike("Possibly", sentence), choices: [], sureness }
    : {
        headline: `One of these: ${all.map(inside).map(withoutStop).join("; or ")}.`,
        choices: all,
        sureness,
      };
}

/** What is known for certain of a finding: the requirement that its first check judges is violated. */
function violatedBy({ explains, sentence }: RunFinding, { checks }: Pick<Run, "checks">): string {
  const requirement = checks.find(({ id }) => id === explains[0])?.requirement;
  return requirement === undefined ? sentence : violation(requirement);
}

/** `The service violates REDIR-08: …` */
export function violation({ id, statement }: { readonly id: string; readonly statement: string }): string {
  return `The service violates ${id}: ${withoutStop(statement)}.`;
}

function confidenceText({ defect, rule }: { readonly defect: number; readonly rule: number }): string {
  return `${percent(defect)} sure that it is this defect, ${percent(rule)} that it is this rule`;
}

/** Never 0 % or 100 %: neither was measured. */
function percent(share: number): string {
  return `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
}

/** Where the rule is right and the defect is not, mostly a number or a kind of client differs from the known one's. */
function orAlike(reserve: string, sentence: string): string {
  return `${reserve} ${withoutStop(inside(sentence))}, or something like it.`;
}

/** A sentence that begins with `The`, for the middle of another one. */
function inside(sentence: string): string {
  return sentence.replace(/^The /u, "the ");
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/u, "");
}
