import type { Fault } from "../../fixtures/faults/fault.ts";
import { oauthRules } from "../../fixtures/service/oauth/rules.ts";
import { steps as stepsOfService } from "../../fixtures/service/flows.ts";
import { powRules } from "../../fixtures/service/pow/rules.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { suites } from "../suites.ts";

const checksOf = (name: string): readonly Check[] =>
  suites.find((suite) => suite.name === name)?.checks ?? [];

/** The checks of the proof-of-work suite that go on to JMAP. */
export const powChecksAtJmap: readonly string[] = checksOf("pow")
  .map(({ id }) => id)
  .filter((id) => /^POW-(10|11|46)\b/u.test(id));

const powAlone = new Set(
  checksOf("pow")
    .map(({ id }) => id)
    .filter((id) => !powChecksAtJmap.includes(id)),
);
const powPath = new Set([...checksOf("pow"), ...checksOf("sessions")].map(({ id }) => id));

/**
 * The checks that a defect can reach: those of the proof-of-work path meet no rule and no step of the OAuth side, and most of them none
 * of the API. They cost the most by far.
 */
export function checksInReach(
  { rules = {}, steps = [] }: Pick<Fault, "rules" | "steps">,
  checks: readonly Check[],
): readonly Check[] {
  const names = Object.keys(rules);
  if (names.some((name) => name in powRules)) return checks;
  if (steps.some(({ target }) => stepsOfService.pow.has(target))) return checks;
  const isOfOAuth =
    names.every((name) => name in oauthRules) &&
    steps.every(({ target }) => stepsOfService.oauth.has(target));
  const beyond = isOfOAuth ? powPath : powAlone;
  return checks.filter(({ id }) => !beyond.has(id));
}
