import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { equivalents } from "../fixtures/faults/equivalents.ts";
import type { Fault } from "../fixtures/faults/fault.ts";
import { forEachConcurrently } from "../suites/support/judging/for-each-concurrently.ts";
import { lifeCases } from "../suites/histories/lives.checks.ts";
import { newCoverage } from "../suites/histories/next-step.ts";
import { randomNumbers } from "../suites/histories/random.ts";
import { livedOn } from "../suites/histories/simulated-play.ts";
import { drawnChoices, simulatedTarget } from "../suites/histories/simulated-target.ts";
import { historyChecks } from "../suites/histories/suite.ts";
import { historySettings } from "../suites/histories/settings.ts";
import { propertySettings } from "../suites/support/pow/property-settings.ts";
import { foundTable } from "./bench-histories/found-table.ts";
import { appendTrial, isTried, readTrials, type Trial } from "./bench-histories/trials.ts";
import { exitCodes } from "./exit-codes.ts";
import { resultsOfChoices } from "./faults/equivalent-run.ts";
import { type CaughtResult, catchersOf } from "./faults/fault-run.ts";
import { allFaults } from "./faults/fault-list.ts";
import { readCaughtBy } from "./faults/caught-by.ts";

const usage = `npm run bench:histories -- [--seeds N] [--first SEED] [--fault ID]… [--check ID]… [--minutes N] [--jobs N]
                                  [--record FILE] [--table FILE] [--found-only]
       npm run bench:histories -- --equivalents [--choice TEXT]… [--seeds N] [--first SEED] [--jobs N]
       npm run bench:histories -- --in-memory [--seeds N] [--first SEED]

Says of each fault that no other check finds, or of those whose id begins with ID, how many of N seeds find it, with the 95 %
interval (Wilson), how long the story is that they tell, and how long it takes. A fault is judged by all checks of the suite,
or by those of --check; with --minutes nothing is begun later than that. --record keeps each trial in FILE as soon as it has
ended, and leaves out those that it holds; --table writes the table to FILE. With --found-only, stories are not shortened, and their steps
not counted: many more seeds in the same time. With --equivalents, whether histories accuse a
service that makes a choice which the document allows: each of them, or those whose id contains TEXT. With --in-memory, the
same of a target in memory that draws its choices, and how many pairs and triples of steps so many lives cover.`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    first: { type: "string", default: "1" },
    fault: { type: "string", multiple: true, default: [] },
    choice: { type: "string", multiple: true, default: [] },
    check: { type: "string", multiple: true, default: [] },
    minutes: { type: "string", default: "600" },
    "in-memory": { type: "boolean", default: false },
    jobs: { type: "string", default: "4" },
    record: { type: "string" },
    table: { type: "string" },
    "found-only": { type: "boolean", default: false },
    equivalents: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.first) + at);

/** Steps that are numbered in the story of a verdict. */
function stepsIn({ observed = "" }: CaughtResult): number {
  return observed.match(/(?<=^|\s)\d+\. [A-Z]/gu)?.length ?? 0;
}

const historyIds = new Set(historyChecks.map(({ id }) => id));

const tableHeading = `# Defects that only histories show, and how many seeds find them

Made by \`npm run bench:histories\`. A trial judges the reference service with one defect by the suite \`histories\`, with the
default budget and one seed, until a check fails: first the checks that have found this defect before, then all others.`;

const toRun = historyChecks.filter(
  ({ id, unlockedBy }) =>
    unlockedBy === undefined && (values.check.length === 0 || values.check.includes(id)),
);

async function tried(fault: Fault, seed: number): Promise<Trial> {
  const named = Object.keys(readCaughtBy()[fault.id] ?? {});
  // The check that finds it first is the one that was seen to before: its verdict is enough.
  const likely = toRun.filter(({ id }) => named.includes(id));
  const others = toRun.filter((check) => !likely.includes(check));
  const startedAt = performance.now();
  for (const checks of [...likely.map((check) => [check]), others]) {
    if (checks.length === 0) continue;
    const caught = (await catchersOf(fault, checks)).filter(({ verdict }) => verdict === "fail");
    const [shortest] = caught.toSorted((a, b) => stepsIn(a) - stepsIn(b));
    if (shortest === undefined) continue;
    const steps = values["found-only"] ? {} : { steps: stepsIn(shortest) };
    const trial = { fault: fault.id, seed, check: shortest.id, ...steps };
    return { ...trial, seconds: secondsSince(startedAt) };
  }
  return { fault: fault.id, seed, seconds: secondsSince(startedAt) };
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

function isSeenOnlyByHistories(fault: string): boolean {
  const named = Object.keys(readCaughtBy()[fault] ?? {});
  return named.length > 0 && named.every((id) => historyIds.has(id));
}

async function benchFaults(): Promise<void> {
  const { record, table } = values;
  const faults = allFaults.filter(({ id }) =>
    values.fault.length === 0
      ? isSeenOnlyByHistories(id)
      : values.fault.some((prefix) => id.startsWith(prefix)),
  );
  historySettings.isLeftLong = values["found-only"];
  const earlier = record === undefined ? [] : readTrials(record);
  const trials: Trial[] = [...earlier];
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  for (const seed of seeds) {
    // One seed is in force at a time.
    propertySettings.seed = seed;
    const left = faults.filter(({ id }) => !isTried(earlier, id, seed));
    await forEachConcurrently(left, Number(values.jobs), async (fault) => {
      if (performance.now() > deadline) return;
      const trial = await tried(fault, seed);
      trials.push(trial);
      if (record !== undefined) appendTrial(record, trial);
    });
    console.error(`seed ${seed} of ${seeds.at(-1)}`);
  }
  const text = foundTable(tableHeading, trials);
  if (table === undefined) console.log(text);
  else writeFileSync(table, text);
}

/** What is covered after so many lives. */
const shownAfter = [1, 3, 10, 30, 100, 300, 1000, 3000];

async function benchInMemory(): Promise<void> {
  let accused = 0;
  let lives = 0;
  for (const { slug } of lifeCases) {
    const coverage = newCoverage();
    for (const [at, seed] of seeds.entries()) {
      const wrong = await livedOn(simulatedTarget(drawnChoices(randomNumbers(seed))), slug, seed, coverage);
      lives += 1;
      if (wrong !== undefined) {
        accused += 1;
        console.log(`${slug}, seed ${seed}: ${wrong}`);
      }
      if (shownAfter.includes(at + 1))
        console.log(
          `${slug} | ${at + 1} lives | ${met(coverage.pairs)} pairs | ${met(coverage.triples)} triples`,
        );
    }
  }
  console.log(`${lives} lives on targets in memory with drawn choices, ${accused} accused`);
}

function met(seen: ReadonlyMap<string, number>): string {
  return `${[...seen.values()].filter((times) => times > 0).length} of ${seen.size}`;
}

async function benchEquivalents(): Promise<void> {
  const wanted = values.choice;
  const concerned = equivalents.filter(
    ({ id, concerns }) =>
      concerns !== "proofs" && (wanted.length === 0 || wanted.some((part) => id.includes(part))),
  );
  let runs = 0;
  for (const seed of seeds) {
    propertySettings.seed = seed;
    await forEachConcurrently(concerned, Number(values.jobs), async (choice) => {
      runs += 1;
      for (const { id, verdict, reason, defect } of await resultsOfChoices([choice], toRun))
        if (verdict === "fail" || defect) console.log(`seed ${seed}: ${choice.id}: ${id}: ${reason}`);
    });
    console.error(`seed ${seed} of ${seeds.at(-1)}`);
  }
  console.log(`${runs} runs of ${concerned.length} permitted choices with ${seeds.length} seeds`);
}

if (values.help) console.log(usage);
else if (values["in-memory"]) await benchInMemory();
else if (values.equivalents) await benchEquivalents();
else await benchFaults();
process.exitCode = exitCodes.conforms;
