import { parseArgs } from "node:util";
import { exitCodes } from "./exit-codes.ts";
import { caughtBy } from "./faults/fault-run.ts";
import { allFaults } from "./faults/fault-list.ts";
import { selectChecks } from "./conformance/select-checks.ts";
import { UsageError } from "./usage-error.ts";
import { suites } from "./suites.ts";

const usage = `mailproof faults [--fault ID]… [--suite NAME]…

Starts the reference service with one deliberate defect at a time and shows which checks catch it.

  --fault ID     only this defect, or all whose id begins so; may be repeated
  --suite NAME   judge with this suite alone; may be repeated`;

/** @returns 0 when every defect is caught by exactly the checks it names */
export async function faults(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      fault: { type: "string", multiple: true, default: [] },
      suite: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const chosen = allFaults.filter(
    ({ id }) => values.fault.length === 0 || values.fault.some((prefix) => id.startsWith(prefix)),
  );
  if (chosen.length === 0)
    throw new UsageError(
      `there is no fault ${values.fault.join(", ")}; there are ${allFaults.map(({ id }) => id).join(", ")}`,
    );
  const checks = selectChecks(suites, values.suite, []);
  let isExact = true;
  for (const fault of chosen) {
    const caught = await caughtBy(fault, checks);
    const named = fault.caughtBy.filter((id) => checks.some((check) => check.id === id));
    const missed = named.filter((id) => !caught.some((result) => result.id === id));
    const unnamed = caught.filter((result) => !fault.caughtBy.includes(result.id));
    isExact &&= missed.length === 0 && unnamed.length === 0;
    console.log(
      `${missed.length + unnamed.length === 0 ? "✓" : "✗"} ${fault.id}: ${fault.defect}; caught by ${caught.length}`,
    );
    for (const id of missed) console.log(`    missed by ${id}`);
    for (const result of unnamed) console.log(`    also caught by ${result.id}: ${result.reason ?? ""}`);
  }
  return isExact ? exitCodes.conforms : exitCodes.violated;
}
