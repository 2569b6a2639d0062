import { parseArgs } from "node:util";
import { equivalents } from "../fixtures/faults/equivalents.ts";
import type { Fault } from "../fixtures/faults/fault.ts";
import { forEachConcurrently } from "../suites/support/judging/for-each-concurrently.ts";
import { historyChecks } from "../suites/histories/suite.ts";
import { propertySettings } from "../suites/support/pow/property-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { resultsOfChoices } from "./faults/equivalent-run.ts";
import { type CaughtResult, catchersOf } from "./faults/fault-run.ts";
import { allFaults } from "./faults/fault-list.ts";
import { readCaughtBy } from "./faults/caught-by.ts";

const usage = `npm run bench:histories -- [--seeds N] [--first SEED] [--fault ID]… [--jobs N]
       npm run bench:histories -- --equivalents [--choice TEXT]… [--seeds N] [--first SEED] [--jobs N]

Says of each fault that histories are made for how many of N seeds find it, how long the story is that they tell, and how
long it takes. With --equivalents, whether histories accuse a service that makes a choice which the document allows: each of
them, or those whose id contains TEXT.`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    first: { type: "string", default: "1" },
    fault: { type: "string", multiple: true, default: ["histories/"] },
    choice: { type: "string", multiple: true, default: [] },
    jobs: { type: "string", default: "4" },
    equivalents: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** What the seeds have found of one fault. */
interface Found {
  readonly checks: Map<string, number>;
  readonly steps: number[];
  readonly seconds: number[];
  found: number;
}

const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.first) + at);

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

/** Steps that are numbered in the story of a verdict. */
function stepsIn({ observed = "" }: CaughtResult): number {
  return observed.match(/(?<=^|\s)\d+\. [A-Z]/gu)?.length ?? 0;
}

async function tried(fault: Fault, found: Found): Promise<void> {
  const named = Object.keys(readCaughtBy()[fault.id] ?? {});
  // The check that finds it first is the one that was seen to before: its verdict is enough.
  const likely = historyChecks.filter(({ id }) => named.includes(id));
  const others = historyChecks.filter((check) => !likely.includes(check));
  const startedAt = performance.now();
  for (const checks of [...likely.map((check) => [check]), others]) {
    const caught = (await catchersOf(fault, checks)).filter(({ verdict }) => verdict === "fail");
    const [first] = caught;
    if (first === undefined) continue;
    found.found += 1;
    found.steps.push(Math.min(...caught.map(stepsIn)));
    for (const { id } of caught) found.checks.set(id, (found.checks.get(id) ?? 0) + 1);
    break;
  }
  found.seconds.push((performance.now() - startedAt) / 1000);
}

async function benchFaults(): Promise<void> {
  const faults = allFaults.filter(({ id }) => values.fault.some((prefix) => id.startsWith(prefix)));
  const all = new Map<string, Found>();
  for (const { id } of faults) all.set(id, { checks: new Map(), steps: [], seconds: [], found: 0 });
  for (const seed of seeds) {
    // One seed is in force at a time.
    propertySettings.seed = seed;
    await forEachConcurrently(faults, Number(values.jobs), async (fault) => {
      const found = all.get(fault.id);
      if (found !== undefined) await tried(fault, found);
    });
    console.error(`seed ${seed} of ${seeds.at(-1)}`);
  }
  console.log(`| fault | found in ${seeds.length} seeds | steps (median) | seconds (median) | by |`);
  console.log("|---|---|---|---|---|");
  for (const [id, { found, steps, seconds, checks }] of all) {
    const by = [...checks].map(([check, times]) => `${check} ${times}`).join(", ");
    console.log(`| ${id} | ${found} | ${median(steps)} | ${median(seconds).toFixed(1)} | ${by} |`);
  }
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
      for (const { id, verdict, reason, defect } of await resultsOfChoices([choice], historyChecks))
        if (verdict === "fail" || defect) console.log(`seed ${seed}: ${choice.id}: ${id}: ${reason}`);
    });
    console.error(`seed ${seed} of ${seeds.at(-1)}`);
  }
  console.log(`${runs} runs of ${concerned.length} permitted choices with ${seeds.length} seeds`);
}

if (values.help) console.log(usage);
else if (values.equivalents) await benchEquivalents();
else await benchFaults();
process.exitCode = exitCodes.conforms;
