import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { normalValue } from "./normal-value.ts";

/** How a check notices a defect. */
export interface Symptom {
  readonly verdict: "fail" | "warn";
  /** What it observed, normalised; absent where that is not known. */
  readonly observed?: string;
}

/** By the id of the check. */
export type Symptoms = Readonly<Record<string, Symptom>>;

export function symptomOf(
  { observed, reason }: Pick<CheckResult, "observed" | "reason">,
  verdict: Symptom["verdict"],
): Symptom {
  const value = observed ?? reason;
  return { verdict, ...(value !== undefined && { observed: normalValue(value) }) };
}
