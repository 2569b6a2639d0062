import { violation } from "../../reports/finding-words.ts";
import { type RunFinding, severities } from "../../reports/finding-format.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import type { CommonAnswer } from "./common-answers.ts";
import {
  type Calibration,
  type Confidence,
  confidenceInRival,
  confidenceOf,
  featuresOf,
} from "./confidence.ts";
import { type Entry, entriesOf, type FaultDictionary } from "./dictionary.ts";
import type { Explanation } from "./explain.ts";
import { explainRun } from "./explain-run.ts";
import { familyOf, lossOfConcern, wayOf } from "./families.ts";
import type { Fit } from "./fit.ts";
import type { RequirementGroup } from "./requirement-groups.ts";

export interface Knowledge {
  readonly entries: readonly Entry[];
  readonly calibration: Calibration;
  /** By check: how many faults it notices. */
  readonly frequency: ReadonlyMap<string, number>;
}

export function knowledgeOf(dictionary: FaultDictionary, calibration: Calibration): Knowledge {
  const frequency = new Map<string, number>();
  for (const { symptoms } of Object.values(dictionary.faults))
    for (const check of Object.keys(symptoms)) frequency.set(check, (frequency.get(check) ?? 0) + 1);
  return { entries: entriesOf(dictionary), calibration, frequency };
}

type Finding = Omit<RunFinding, "id">;

/** Below this, naming a defect or its rule would be a guess, and nothing but the requirement is named. */
const leastConfidence = 0.2;
const mostAlternatives = 3;

/** The fewest defects that explain the failures of a run, the gravest first. Pure, and the same for the same run. */
export function diagnose({ checks }: Pick<Run, "checks">, knowledge: Knowledge): readonly RunFinding[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const sureOf = (explanation: Explanation): Confidence =>
    confidenceOf(featuresOf(explanation), knowledge.calibration);
  const { common, known, unknown } = explainRun(checks, knowledge.entries, (explanation) => {
    const { rule, defect } = sureOf(explanation);
    return Math.max(rule, defect) >= leastConfidence;
  });
  const findings: readonly Finding[] = [
    ...known.map((explanation) => defectFinding(explanation, sureOf(explanation), knowledge, byId)),
    ...common.map((answer) => commonFinding(answer, byId)),
    ...unknown.map((group) => requirementFinding(group, byId)),
  ];
  return findings.toSorted(byAttention).map((finding, at) => ({ id: `F${at + 1}`, ...finding }));
}

function byAttention(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    (b.confidence?.defect ?? 0) - (a.confidence?.defect ?? 0) ||
    b.explains.length - a.explains.length ||
    ((a.explains[0] ?? "") < (b.explains[0] ?? "") ? -1 : 1)
  );
}

type Checks = ReadonlyMap<string, RunCheck>;

function defectFinding(
  { fit, rivals, ...explanation }: Explanation,
  confidence: Confidence,
  { frequency }: Knowledge,
  checks: Checks,
): Finding {
  const { id, sentence = "" } = fit.entry;
  const family = familyOf(id);
  // The check that fewest defects fail tells most.
  const explains = explanation.explains.toSorted(
    (a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1),
  );
  const alternatives = rivals
    .filter(({ fit: { entry } }, at) =>
      isFirstOfItsWay(entry, [fit, ...rivals.slice(0, at).map((one) => one.fit)]),
    )
    .slice(0, mostAlternatives)
    .map((rival) => ({
      fault: rival.fit.entry.id,
      sentence: rival.fit.entry.sentence ?? "",
      confidence: rounded(confidenceInRival(rival, confidence)),
    }));
  const loss = family ?? lossOfConcern(checks.get(explains[0] ?? "")?.suite ?? "");
  return {
    kind: "defect",
    sentence,
    severity: loss.severity,
    consequence: loss.consequence,
    section: sectionOf(explains, checks),
    ...(family && { cause: family.cause, mend: family.mend }),
    confidence: { rule: rounded(confidence.rule), defect: rounded(confidence.defect) },
    fault: id,
    explains,
    against: fit.against,
    alternatives,
  };
}

/** Of the faults that break a rule in the same way one is enough to choose from. */
function isFirstOfItsWay({ id, sentence }: Entry, better: readonly Fit[]): boolean {
  return sentence !== undefined && better.every(({ entry }) => wayOf(entry.id) !== wayOf(id));
}

function commonFinding({ observed, failed }: CommonAnswer, checks: Checks): Finding {
  const explains = failed.map(({ id }) => id);
  const requirements = new Set(failed.map(({ requirement }) => requirement)).size;
  const isDown = /^(?:got )?(?:5\d\d|no answer)/u.test(observed);
  return {
    kind: "common-answer",
    sentence: `The service gave one and the same answer where ${failed.length} checks of ${requirements} requirements expected others: ${observed}.`,
    severity: isDown ? "denial of service" : "interoperability",
    consequence: "One cause stands before all of these requirements. They can be judged once it is fixed.",
    section: sectionOf(explains, checks),
    explains,
    against: [],
    alternatives: [],
  };
}

function requirementFinding({ requirement, failed }: RequirementGroup, checks: Checks): Finding {
  const own = failed.filter((symptom) => symptom.requirement === requirement);
  const explains = [...new Set([...own, ...failed])].map(({ id }) => id);
  const first = checks.get(explains[0] ?? "");
  const loss = lossOfConcern(first?.suite ?? "");
  return {
    kind: "requirement",
    sentence: first === undefined ? requirement : violation(first.requirement),
    severity: loss.severity,
    consequence: loss.consequence,
    section: sectionOf(explains, checks),
    explains,
    against: [],
    alternatives: [],
  };
}

function sectionOf([first = ""]: readonly string[], checks: Checks): string {
  return checks.get(first)?.requirement.section ?? "";
}

function rounded(share: number): number {
  return Math.round(100 * share) / 100;
}
