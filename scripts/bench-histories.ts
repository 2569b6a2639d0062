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
import { propertySettings } from "../suites/support/pow/property-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { resultsOfChoices } from "./faults/equivalent-run.ts";
import { type CaughtResult, catchersOf } from "./faults/fault-run.ts";
import { allFaults } from "./faults/fault-list.ts";
import { readCaughtBy } from "./faults/caught-by.ts";

const usage = `npm run bench:histories -- [--seeds N] [--first SEED] [--fault ID]… [--check ID]… [--minutes N] [--jobs N]
       npm run bench:histories -- --equivalents [--choice TEXT]… [--seeds N] [--first SEED] [--jobs N]
       npm run bench:histories -- --in-memory [--seeds N] [--first SEED]

Says of each fault that histories are made for how many of N seeds find it, with the 95 % interval (Wilson), how long the
story is that they tell, and how long it takes. A fault is judged by all checks of the suite, or by those of --check; with
--minutes no seed is begun later than that. With --equivalents, whether histories accuse a service that makes a choice which
the document allows: each of them, or those whose id contains TEXT. With --in-memory, the same of a target in memory that
draws its choices, and how many pairs and triples of steps so many lives cover.`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    first: { type: "string", default: "1" },
    fault: { type: "string", multiple: true, default: ["histories/"] },
    choice: { type: "string", multiple: true, default: [] },
    check: { type: "string", multiple: true, default: [] },
    minutes: { type: "string", default: "600" },
    "in-memory": { type: "boolean", default: false },
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
  readonly missedBy: number[];
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

const toRun = historyChecks.filter(
  ({ id, unlockedBy }) =>
    unlockedBy === undefined && (values.check.length === 0 || values.check.includes(id)),
);

async function tried(fault: Fault, seed: number, found: Found): Promise<void> {
  const named = Object.keys(readCaughtBy()[fault.id] ?? {});
  // The check that finds it first is the one that was seen to before: its verdict is enough.
  const likely = toRun.filter(({ id }) => named.includes(id));
  const others = toRun.filter((check) => !likely.includes(check));
  const startedAt = performance.now();
  const before = found.found;
  for (const checks of [...likely.map((check) => [check]), others]) {
    if (checks.length === 0) continue;
    const caught = (await catchersOf(fault, checks)).filter(({ verdict }) => verdict === "fail");
    const [first] = caught;
    if (first === undefined) continue;
    found.found += 1;
    found.steps.push(Math.min(...caught.map(stepsIn)));
    for (const { id } of caught) found.checks.set(id, (found.checks.get(id) ?? 0) + 1);
    break;
  }
  found.seconds.push((performance.now() - startedAt) / 1000);
  if (found.found === before) found.missedBy.push(seed);
}

const z = 1.96;

/** The 95 % interval of a share (Wilson), in percent. */
function interval(hits: number, tries: number): string {
  if (tries === 0) return "–";
  const share = hits / tries;
  const centre = (share + z ** 2 / (2 * tries)) / (1 + z ** 2 / tries);
  const half =
    (z / (1 + z ** 2 / tries)) * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  return `${Math.max(0, Math.floor(100 * (centre - half)))}–${Math.min(100, Math.ceil(100 * (centre + half)))} %`;
}

async function benchFaults(): Promise<void> {
  const faults = allFaults.filter(({ id }) => values.fault.some((prefix) => id.startsWith(prefix)));
  const all = new Map<string, Found>();
  for (const { id } of faults) all.set(id, newFound());
  const deadline = performance.now() + Number(values.minutes) * 60_000;
  for (const seed of seeds) {
    if (performance.now() > deadline) break;
    // One seed is in force at a time.
    propertySettings.seed = seed;
    await forEachConcurrently(faults, Number(values.jobs), async (fault) => {
      const found = all.get(fault.id);
      if (found !== undefined) await tried(fault, seed, found);
    });
    console.error(`seed ${seed} of ${seeds.at(-1)}`);
  }
  console.log("| fault | seeds that find it | 95 % interval | steps (median) | seconds (median) | by |");
  console.log("|---|---|---|---|---|---|");
  for (const [id, { found, steps, seconds, checks, missedBy }] of all) {
    const by = [...checks].map(([check, times]) => `${check} ${times}`).join(", ");
    const missed = missedBy.length === 0 ? "" : `; missed by ${missedBy.join(" ")}`;
    const share = `${found} of ${seconds.length}`;
    console.log(
      `| ${id} | ${share} | ${interval(found, seconds.length)} | ${median(steps)} | ${median(seconds).toFixed(1)} | ${by}${missed} |`,
    );
  }
}

function newFound(): Found {
  return { checks: new Map(), steps: [], seconds: [], missedBy: [], found: 0 };
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
