import { type Check, requirementOf } from "../../suites/support/judging/check.ts";
import measured from "./prerequisites.json" with { type: "json" };

/** What no check declares: which checks use it was measured. */
export type MeasuredPrerequisite = keyof typeof measured;

/** What a check builds on, beside an authorization service that answers. */
export type Prerequisite =
  "service" | "first human" | "second human" | "clock" | "nodes" | "client documents" | MeasuredPrerequisite;

// The only one that compares a time of the target with that of this machine.
const clockRequirement = "AGENTS-06";

/** Of checks that go to the nodes themselves where the profile lists them. */
const asksNodes = /\/every-(?:jmap-)?node$/u;

/** The checks that cannot be judged without it. */
export function checksThatNeed(prerequisite: Prerequisite, checks: readonly Check[]): readonly Check[] {
  if (prerequisite === "service") return checks;
  if (prerequisite === "clock") return checks.filter(({ id }) => requirementOf(id) === clockRequirement);
  if (prerequisite === "nodes") return checks.filter(({ id }) => asksNodes.test(id));
  if (prerequisite === "client documents")
    return checks.filter(({ unlockedBy }) => unlockedBy?.startsWith("client_metadata"));
  if (prerequisite === "first human")
    return checks.filter(({ needs }) => needs.includes("human") || needs.includes("second-human"));
  if (prerequisite === "second human") return checks.filter(({ needs }) => needs.includes("second-human"));
  const listed: ReadonlySet<string> = new Set(measured[prerequisite]);
  return checks.filter(({ id }) => listed.has(id) || listed.has(requirementOf(id)));
}
