import { parseArgs } from "node:util";
import { exitCodes } from "./exit-codes.ts";
import { selectChecks } from "./conformance/select-checks.ts";
import { type Catch, readCaughtBy, writeCaughtBy } from "./faults/caught-by.ts";
import { allFaults } from "./faults/fault-list.ts";
import { catchersOf } from "./faults/fault-run.ts";
import { UsageError } from "./usage-error.ts";
import { suites } from "./suites.ts";

const usage = `mailproof faults [--fault ID]… [--suite NAME]… [--write]

Starts the reference service with one deliberate defect at a time and shows which checks catch it, and where that differs
from fixtures/faults/caught-by.json.

  --fault ID     only this defect, or all whose id begins so; may be repeated
  --suite NAME   judge with this suite alone; may be repeated
  --write        write what was seen to fixtures/faults/caught-by.json; review the difference before you commit it`;

/** @returns 0 when every defect is caught by exactly the checks that caught-by.json names */
export async function faults(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      fault: { type: "string", multiple: true, default: [] },
      suite: { type: "string", multiple: true, default: [] },
      write: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  if (values.write && values.suite.length > 0)
    throw new UsageError("--write needs the results of every suite; leave --suite out");
  const chosen = allFaults.filter(
    ({ id }) => values.fault.length === 0 || values.fault.some((prefix) => id.startsWith(prefix)),
  );
  if (chosen.length === 0)
    throw new UsageError(
      `there is no fault ${values.fault.join(", ")}; there are ${allFaults.map(({ id }) => id).join(", ")}`,
    );
  const checks = selectChecks(suites, values.suite, []);
  const judged = new Set(checks.map(({ id }) => id));
  const seen: Record<string, Record<string, Catch>> = {};
  let isExact = true;
  for (const fault of chosen) {
    const caught = await catchersOf(fault, checks);
    const expected = Object.entries(readCaughtBy()[fault.id] ?? {}).filter(([id]) => judged.has(id));
    const missed = expected.filter(
      ([id, how]) => !caught.some((result) => result.id === id && result.verdict === how),
    );
    const unexpected = caught.filter(
      ({ id, verdict }) => !expected.some(([known, how]) => known === id && how === verdict),
    );
    const isAsExpected = missed.length + unexpected.length === 0 && caught.length > 0;
    isExact &&= isAsExpected;
    console.log(`${isAsExpected ? "✓" : "✗"} ${fault.id}: ${fault.defect}; caught by ${caught.length}`);
    if (caught.length === 0) console.log("    no check notices it");
    for (const [id, how] of missed) console.log(`    no longer: ${id} (${how})`);
    for (const { id, verdict, reason } of unexpected)
      console.log(`    also: ${id} (${verdict}): ${reason ?? ""}`);
    seen[fault.id] = Object.fromEntries(caught.map(({ id, verdict }) => [id, verdict]));
    if (values.write) writeCaughtBy(merged(seen));
  }
  return isExact || values.write ? exitCodes.conforms : exitCodes.violated;
}

/** What was seen, and for faults that were not run what stood there before; faults that are gone fall out. */
function merged(
  seen: Readonly<Record<string, Readonly<Record<string, Catch>>>>,
): Record<string, Readonly<Record<string, Catch>>> {
  const before = readCaughtBy();
  return Object.fromEntries(allFaults.map(({ id }) => [id, seen[id] ?? before[id] ?? {}]));
}
