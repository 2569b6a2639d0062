import { exitCodes } from "./exit-codes.ts";
import { selectChecks } from "./conformance/select-checks.ts";
import type { Fault } from "../fixtures/faults/fault.ts";
import { type Catch, type CaughtBy, readCaughtBy, writeCaughtBy } from "./faults/caught-by.ts";
import { allFaults } from "./faults/fault-list.ts";
import { type CaughtResult, catchersOf } from "./faults/fault-run.ts";
import { forEachConcurrently } from "../suites/support/judging/for-each-concurrently.ts";
import { checksInReach, measureReach } from "./faults/reach.ts";
import { nearestIds } from "../suites/support/judging/known-results.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";
import { suites } from "./suites.ts";

const usage = `mailproof faults [--fault ID]… [--suite NAME]… [--write] [--jobs N]

Starts the reference service with one deliberate defect at a time and shows which checks catch it, and where that differs
from fixtures/faults/caught-by.json.

  --fault ID     only this defect, or all whose id begins so; may be repeated
  --suite NAME   judge with this suite alone; may be repeated
  --jobs N       defects at the same time (default: 4); much of a run is waiting
  --write        write what was seen to fixtures/faults/caught-by.json, where checks of suites that were left out stay as
                 they are; review the difference before you commit it`;

/** @returns 0 when every defect is caught by exactly the checks that caught-by.json names */
export async function faults(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      fault: { type: "string", multiple: true, default: [] },
      suite: { type: "string", multiple: true, default: [] },
      write: { type: "boolean", default: false },
      jobs: { type: "string", default: "4" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const chosen = chooseFaults(values.fault);
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new UsageError(`--jobs ${values.jobs}: expected a whole number from 1 on`);
  const checks = selectChecks(suites, values.suite, []);
  const judged = new Set(checks.map(({ id }) => id));
  // For a few defects, running every check is quicker than finding out which checks they can reach.
  const reach = chosen.length > 3 ? await measureReach(checks) : undefined;
  const known = readCaughtBy();
  const seen: Record<string, Record<string, Catch>> = {};
  let isExact = true;
  await forEachConcurrently(chosen, jobs, async (fault) => {
    const caught = await catchersOf(fault, reach ? checksInReach(fault, checks, reach) : checks);
    const [expected, others] = partitioned(Object.entries(known[fault.id] ?? {}), judged);
    isExact = reportCaught(fault, caught, expected) && isExact;
    const now = caught.map(({ id, verdict }): [string, Catch] => [id, verdict]);
    seen[fault.id] = Object.fromEntries([...others, ...now]);
    if (values.write) writeCaughtBy(merged(known, seen));
  });
  return isExact || values.write ? exitCodes.conforms : exitCodes.violated;
}

/** @throws {UsageError} when no fault has the id, or begins with it, naming the nearest */
function chooseFaults(prefixes: readonly string[]): readonly Fault[] {
  const ids = allFaults.map(({ id }) => id);
  for (const prefix of prefixes) {
    if (ids.some((id) => id.startsWith(prefix))) continue;
    const near = nearestIds(prefix, ids);
    const areas = [...new Set(ids.map((id) => id.replace(/\/.*/u, "/")))].toSorted();
    throw new UsageError(
      `there is no fault ${prefix}; ${near.length === 0 ? `ids begin with ${areas.join(", ")}` : `did you mean ${near.join(" or ")}?`}`,
    );
  }
  return allFaults.filter(
    ({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)),
  );
}

/** @returns whether exactly the expected checks caught it */
function reportCaught(
  { id: faultId, defect }: Fault,
  caught: readonly CaughtResult[],
  expected: readonly [string, Catch][],
): boolean {
  const missed = expected.filter(
    ([id, how]) => !caught.some((result) => result.id === id && result.verdict === how),
  );
  const unexpected = caught.filter(
    ({ id, verdict }) => !expected.some(([known, how]) => known === id && how === verdict),
  );
  const isExact = missed.length + unexpected.length === 0 && caught.length > 0;
  const lines = [`${isExact ? "✓" : "✗"} ${faultId}: ${defect}; caught by ${caught.length}`];
  if (caught.length === 0) lines.push("    no check notices it");
  for (const [id, how] of missed) lines.push(`    no longer: ${id} (${how})`);
  for (const { id, verdict, reason } of unexpected)
    lines.push(`    also: ${id} (${verdict}): ${reason ?? ""}`);
  console.log(lines.join("\n"));
  return isExact;
}

/** Those of checks that are judged now, and the others. */
function partitioned(
  entries: readonly [string, Catch][],
  judged: ReadonlySet<string>,
): [judged: [string, Catch][], others: [string, Catch][]] {
  return [entries.filter(([id]) => judged.has(id)), entries.filter(([id]) => !judged.has(id))];
}

/** What was seen, and for faults that were not run what stood there before; faults that are gone fall out. */
function merged(before: CaughtBy, seen: CaughtBy): CaughtBy {
  return Object.fromEntries(allFaults.map(({ id }) => [id, seen[id] ?? before[id] ?? {}]));
}
