import caughtBy from "../../fixtures/faults/caught-by.json" with { type: "json" };
import { allFaults } from "../faults/fault-list.ts";

/** A deliberate defect of the reference service that makes checks fail. */
export interface Mistake {
  readonly fault: string;
  /** Reads after "The service". */
  readonly defect: string;
  /** Those of the asked ones that catch it. */
  readonly checks: readonly string[];
}

/** The defects that some of these checks catch, first those that they catch most of and few others do. */
export function mistakesOf(checkIds: readonly string[]): Mistake[] {
  const asked = new Set(checkIds);
  const all: Readonly<Record<string, object>> = caughtBy;
  return allFaults
    .map(({ id, defect }) => {
      const catching = Object.keys(all[id] ?? {});
      const checks = catching.filter((check) => asked.has(check));
      return { fault: id, defect, checks, share: checks.length / catching.length };
    })
    .filter(({ checks }) => checks.length > 0)
    .toSorted((a, b) => b.share - a.share)
    .map(({ fault, defect, checks }) => ({ fault, defect, checks }));
}
