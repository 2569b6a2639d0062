import { readFileSync } from "node:fs";
import { z } from "zod";
import { forEachConcurrently } from "../suites/support/judging/for-each-concurrently.ts";
import { fitAll, measureAccuracy } from "./diagnosis/accuracy.ts";
import { accuracyTable } from "./diagnosis/accuracy-table.ts";
import { knowledgeOf } from "./diagnosis/diagnose.ts";
import type { FaultDictionary } from "./diagnosis/dictionary.ts";
import {
  dictionaryDigest,
  readCalibration,
  readDictionary,
  writeCalibration,
  writeDictionary,
} from "./diagnosis/dictionary-file.ts";
import { readHeldOut } from "./diagnosis/held-out.ts";
import { recognisableNodeFaults, symptomsOf, symptomsOfNodes } from "./diagnosis/judge-fault.ts";
import { calibration } from "./diagnosis/knowledge.ts";
import type { Symptoms } from "./diagnosis/symptom.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Catch, catchesOf, readCaughtBy } from "./faults/caught-by.ts";
import { allFaults } from "./faults/fault-list.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";

const usage = `mailproof diagnosis [--dictionary [--all] [--fault ID]… [--jobs N]] [--neighbours FILE] [--fit]

Shows how often the findings of reports are right, on the defects of independent services
(fixtures/diagnosis/held-out.json): for each of them with confidences that are fitted to the others.

  --dictionary       first run the checks that catch a deliberate defect of the reference service, and write what they observe
                     to fixtures/diagnosis/dictionary.json, in which reports look failures up; for defects that are new
                     there, or that other checks catch now
  --fault ID         for this defect too, or for all whose id begins so; may be repeated
  --all              for every defect: some minutes
  --jobs N           defects at the same time (default: 6); much of a run is waiting
  --neighbours FILE  put the mutants of \`mailproof mutants --thorough --json FILE\` into the dictionary in place of those there
  --fit              fit the confidence to all of these defects, and write it to fixtures/diagnosis/calibration.json`;

export async function diagnosis(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      dictionary: { type: "boolean", default: false },
      all: { type: "boolean", default: false },
      fault: { type: "string", multiple: true, default: [] },
      jobs: { type: "string", default: "6" },
      neighbours: { type: "string" },
      fit: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new UsageError(`--jobs ${values.jobs}: expected a whole number from 1 on`);
  if (values.dictionary) await makeDictionary(values.all ? [""] : values.fault, jobs);
  if (values.neighbours !== undefined) replaceNeighbours(values.neighbours);
  const dictionary = readDictionary();
  const heldOut = readHeldOut();
  if (values.fit) {
    const weights = fitAll(heldOut, knowledgeOf(dictionary, calibration));
    writeCalibration({ ...calibration, dictionary: dictionaryDigest(dictionary), ...weights });
  }
  console.log(accuracyTable(measureAccuracy(heldOut, knowledgeOf(dictionary, readCalibration()))));
  return exitCodes.conforms;
}

async function makeDictionary(prefixes: readonly string[], jobs: number): Promise<void> {
  const before = readDictionary();
  const caughtBy = readCaughtBy();
  const isChosen = (id: string): boolean => prefixes.some((prefix) => id.startsWith(prefix));
  const made: Record<string, FaultDictionary["faults"][string]> = {};
  const defects = [
    ...allFaults.map((fault) => {
      const { id, defect } = fault;
      const caught = caughtBy[id];
      return { id, defect, caught, judge: async () => symptomsOf(fault, caught ?? {}) };
    }),
    ...recognisableNodeFaults.map((fault) => {
      const { id, defect } = fault;
      return { id, defect, caught: catchesOf(fault), judge: async () => symptomsOfNodes(fault) };
    }),
  ];
  await forEachConcurrently(defects, jobs, async ({ id, defect, caught, judge }) => {
    if (caught === undefined) return;
    const known = before.faults[id]?.symptoms;
    const isCurrent = known !== undefined && !isChosen(id) && hasVerdicts(known, caught);
    const symptoms = isCurrent ? known : await judge();
    made[id] = { sentence: `The service ${defect}.`, symptoms };
    if (!isCurrent) console.log(`${id}: ${Object.keys(symptoms).length} checks`);
  });
  writeDictionary({ ...before, faults: made });
}

function hasVerdicts(symptoms: Symptoms, caught: Readonly<Record<string, Catch>>): boolean {
  const ids = Object.keys(caught);
  return (
    ids.length === Object.keys(symptoms).length && ids.every((id) => symptoms[id]?.verdict === caught[id])
  );
}

const judgedMutants = z.array(
  z.object({
    key: z.string(),
    outcome: z.object({ symptoms: z.custom<Symptoms>((value) => value !== null).optional() }),
  }),
);

function replaceNeighbours(file: string): void {
  const mutants = judgedMutants.parse(JSON.parse(readFileSync(file, "utf8")));
  const neighbours = mutants.flatMap(({ key, outcome: { symptoms = {} } }) =>
    Object.keys(symptoms).length > 0 ? [[key, symptoms] as const] : [],
  );
  writeDictionary({ ...readDictionary(), neighbours: Object.fromEntries(neighbours) });
}
