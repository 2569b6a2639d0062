import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { NodeFault } from "../../fixtures/faults/nodes/node-fault.ts";

/** How a check catches a fault: `fail`, or `warn` where an RFC alone asks for what the fault breaks. */
export type Catch = "fail" | "warn";

/** Fault id → check id → how it catches the fault. */
export type CaughtBy = Readonly<Record<string, Readonly<Record<string, Catch>>>>;

const file = new URL("../../fixtures/faults/caught-by.json", import.meta.url);
const content = z.record(z.string(), z.record(z.string(), z.enum(["fail", "warn"])));

/** Which checks must catch which fault, as `mailproof faults --write` last wrote it and a reviewer accepted it. */
export function readCaughtBy(): CaughtBy {
  return content.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The checks that must catch a defect of several nodes, as that file has those of other faults. */
export function catchesOf({ caughtBy }: NodeFault): Readonly<Record<string, Catch>> {
  return Object.fromEntries(caughtBy.map((id) => [id, "fail"]));
}

/** Sorted, so that a change shows as the lines that changed. */
export function writeCaughtBy(caughtBy: CaughtBy): void {
  const sorted = Object.fromEntries(
    Object.entries(caughtBy)
      .toSorted(([a], [b]) => compare(a, b))
      .map(([fault, checks]) => [
        fault,
        Object.fromEntries(Object.entries(checks).toSorted(([a], [b]) => compare(a, b))),
      ]),
  );
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
