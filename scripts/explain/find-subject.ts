import { type Interpretation, interpretations } from "../../fixtures/spec/interpretations.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { nearestIds } from "../../suites/support/judging/known-results.ts";
import type { Catalogue, CataloguedRequirement } from "../conformance/catalogue.ts";
import { nearestName } from "../nearest-name.ts";
import { UsageError } from "../usage-error.ts";
import { type Defect, defectOf } from "./mistakes.ts";

/** What can be explained. An id that a check shares with its requirement means the check. */
export type Subject =
  | { readonly kind: "check"; readonly check: Check }
  | { readonly kind: "requirement"; readonly requirement: CataloguedRequirement }
  | { readonly kind: "reading"; readonly interpretation: Interpretation }
  | { readonly kind: "defect"; readonly defect: Defect };

/** @throws {UsageError} when there is none with this id, naming the nearest */
export function findSubject(id: string, { suites, requirements }: Catalogue): Subject {
  const checks = suites.flatMap((suite) => suite.checks);
  const isIt = (one: { readonly id: string }): boolean => one.id.toLowerCase() === id.toLowerCase();
  const check = checks.find(isIt);
  if (check !== undefined) return { kind: "check", check };
  const requirement = [...requirements.values()].find(isIt);
  if (requirement !== undefined) return { kind: "requirement", requirement };
  const interpretation = interpretations.find(isIt);
  if (interpretation !== undefined) return { kind: "reading", interpretation };
  const defect = defectOf(id);
  if (defect !== undefined) return { kind: "defect", defect };
  const ids = [...checks, ...requirements.values(), ...interpretations].map((one) => one.id);
  const near = nearestIds(id, [...new Set(ids)]);
  throw new UsageError(
    `there is no check, requirement or reading ${id}; ${advice(
      id,
      near,
      suites.map(({ name }) => name),
    )}`,
  );
}

function advice(id: string, near: readonly string[], suites: readonly string[]): string {
  const suite = suites.find((name) => name === id) ?? nearestName(id, suites);
  if (suite === id) return `${id} is a suite: \`mailproof list\` shows its checks`;
  const meant = suite === undefined ? near : [...near, `the suite ${suite}`];
  return meant.length === 0 ? "`mailproof list` shows the checks" : `did you mean ${meant.join(" or ")}?`;
}
