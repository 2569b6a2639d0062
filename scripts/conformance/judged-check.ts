import { interpretationsOf } from "../../fixtures/spec/interpretations.ts";
import type { JudgedCheck } from "../../reports/journal-format.ts";
import { requirementOf, sentenceOf } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import type { Catalogue } from "./catalogue.ts";

/** A verdict as the journal holds it. */
export function judgedCheck(
  result: CheckResult,
  { suites, requirements }: Catalogue,
  mask: SecretMask,
  reproduced?: JudgedCheck["reproduced"],
): JudgedCheck {
  const requirement = requirements.get(requirementOf(result.id));
  if (requirement === undefined) throw new TypeError(`check ${result.id} names no requirement`);
  const cited = interpretationsOf(requirement.id).map(({ id }) => id);
  return maskedCheck(
    {
      id: result.id,
      requirement,
      ...(cited.length > 0 && { interpretations: cited }),
      suite: suiteNames(suites).get(result.id) ?? "",
      kind: result.check.kind,
      sentence: sentenceOf(result.check),
      verdict: result.verdict,
      ...(result.reason !== undefined && { reason: result.reason }),
      ...(result.expected !== undefined && { expected: result.expected }),
      ...(result.observed !== undefined && { observed: result.observed }),
      ...(result.steps && { steps: result.steps }),
      ...(result.bars && { bars: result.bars }),
      ...(result.story && { story: result.story }),
      ...(result.growth && { growth: result.growth }),
      ...(result.certainty && { certainty: result.certainty }),
      ...(result.explainedBy !== undefined && { explainedBy: result.explainedBy }),
      ...(reproduced && { reproduced }),
      ...(result.defect && { defect: true }),
      durationMs: Math.round(result.durationMs),
      ...(result.decisive !== undefined && { decisive: result.decisive }),
      exchanges: result.exchanges.map(({ exchange: { number }, role }) => ({ number, role })),
    },
    mask,
  );
}

const knownNames = new WeakMap<Catalogue["suites"], ReadonlyMap<string, string>>();

/** The name of its suite, by the id of a check: looked up for each verdict. */
function suiteNames(suites: Catalogue["suites"]): ReadonlyMap<string, string> {
  const known = knownNames.get(suites);
  if (known !== undefined) return known;
  const names = new Map(suites.flatMap(({ name, checks }) => checks.map(({ id }) => [id, name] as const)));
  knownNames.set(suites, names);
  return names;
}

/** @returns the same object when it holds no secret */
export function maskedCheck(check: JudgedCheck, mask: SecretMask): JudgedCheck {
  const { reason, expected, observed, steps } = check;
  const texts = [reason, expected, observed, ...(steps ?? [])];
  if (texts.every((text) => text === undefined || mask.text(text) === text)) return check;
  return {
    ...check,
    ...(reason !== undefined && { reason: mask.text(reason) }),
    ...(expected !== undefined && { expected: mask.text(expected) }),
    ...(observed !== undefined && { observed: mask.text(observed) }),
    ...(steps && { steps: steps.map((step) => mask.text(step)) }),
  };
}
