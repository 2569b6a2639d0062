import type { Run, RunRequirement } from "../run-format.ts";
import { shownVerdict, type ShownVerdict } from "./verdict-words.ts";

/** The verdicts that a requirement is found by. */
export type VerdictsOf = (requirement: RunRequirement) => readonly ShownVerdict[];

/** Those of a requirement's checks, so that a warning is found beside a failure; `pass` only where all of them passed. */
export function verdictsOfRequirements({ checks }: Pick<Run, "checks">): VerdictsOf {
  const verdictOf = new Map(checks.map(({ id, verdict }) => [id, verdict]));
  return (requirement) => {
    const notable = requirement.checks.flatMap((id) => {
      const verdict = verdictOf.get(id);
      return verdict === undefined || verdict === "pass" ? [] : [verdict];
    });
    return [...new Set([shownVerdict(requirement), ...notable])];
  };
}
