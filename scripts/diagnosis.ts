import { parseArgs } from "node:util";
import { forEachConcurrently } from "../suites/support/judging/for-each-concurrently.ts";
import type { FaultDictionary } from "./diagnosis/dictionary.ts";
import { readDictionary, writeDictionary } from "./diagnosis/dictionary-file.ts";
import { symptomsOf } from "./diagnosis/judge-fault.ts";
import { exitCodes } from "./exit-codes.ts";
import { readCaughtBy } from "./faults/caught-by.ts";
import { describedFaults } from "./faults/fault-list.ts";
import { UsageError } from "./usage-error.ts";

const usage = `mailproof diagnosis --dictionary [--fault ID]… [--jobs N]

Runs the checks that catch each deliberate defect of the reference service, and writes what they observe to
fixtures/faults/diagnosis/dictionary.json. Reports look failures up in it.

  --dictionary   make the dictionary; without --fault all of it, in some minutes
  --fault ID     only the entry of this defect, or all whose id begins so; may be repeated
  --jobs N       defects at the same time, 6 by default: much of a run is waiting`;

export async function diagnosis(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      dictionary: { type: "boolean", default: false },
      fault: { type: "string", multiple: true, default: [] },
      jobs: { type: "string", default: "6" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  if (!values.dictionary) throw new UsageError(usage);
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new UsageError(`--jobs ${values.jobs}: expected a whole number from 1 on`);
  await makeDictionary(values.fault, jobs);
  return exitCodes.conforms;
}

async function makeDictionary(prefixes: readonly string[], jobs: number): Promise<void> {
  const before = readDictionary();
  const caughtBy = readCaughtBy();
  const isChosen = (id: string): boolean =>
    prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix));
  const made: Record<string, FaultDictionary["faults"][string]> = {};
  await forEachConcurrently(describedFaults, jobs, async (fault) => {
    const { id, defect } = fault;
    const known = before.faults[id]?.symptoms;
    const symptoms =
      isChosen(id) || known === undefined ? await symptomsOf(fault, caughtBy[id] ?? {}) : known;
    made[id] = { sentence: `The service ${defect}.`, symptoms };
    if (symptoms !== known) console.log(`${id}: ${Object.keys(symptoms).length} checks`);
  });
  writeDictionary({ ...before, faults: made });
}
