import content from "../../fixtures/diagnosis/families.json" with { type: "json" };
import { type Severity, severities } from "../../reports/finding-format.ts";

/** What is lost when a rule is broken, whichever way it is broken. */
export interface Loss {
  readonly severity: Severity;
  readonly consequence: string;
}

/** Faults that break the same rule, with what a reader of a report wants to know of them. */
export interface Family extends Loss {
  readonly id: string;
  /** How implementations usually come to it. */
  readonly cause: string;
  readonly mend: string;
  /**
   * Ways of breaking it. The faults of one differ only in where they apply: for which client, resource, parameter, value or
   * moment. The broadest comes first.
   */
  readonly ways: readonly (readonly string[])[];
}

export const families: readonly Family[] = content.families.map((family) => ({
  ...family,
  severity: severityOf(family.severity),
}));

const byFault = new Map(
  families.flatMap((family) => family.ways.flat().map((fault) => [fault, family] as const)),
);

export function familyOf(fault: string): Family | undefined {
  return byFault.get(fault);
}

const broadest = new Map(
  families.flatMap(({ ways }) =>
    ways.flatMap(([first = "", ...others]) => [first, ...others].map((fault) => [fault, first] as const)),
  ),
);

/** @returns the fault that stands for all that break the rule in this way; what is of no family, for itself */
export function wayOf(fault: string): string {
  return broadest.get(fault) ?? fault;
}

const concerns = new Map(
  Object.entries(content.concerns).map(([suite, loss]) => [suite, lossOf(loss)] as const),
);
const other = lossOf(content.other);

/** What a violation of a requirement of this suite may cost, where no defect is known that explains it. */
export function lossOfConcern(suite: string): Loss {
  return concerns.get(suite) ?? other;
}

function lossOf({ severity, consequence }: { severity: string; consequence: string }): Loss {
  return { severity: severityOf(severity), consequence };
}

function severityOf(text: string): Severity {
  const found = severities.find((severity) => severity === text);
  if (found === undefined) throw new TypeError(`families.json: ${text} is not a severity`);
  return found;
}
