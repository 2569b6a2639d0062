import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { exitCodes } from "./exit-codes.ts";
import { type JudgedMutant, judgeMutants } from "./mutants/judge-mutants.ts";
import { measureMutantReach } from "./mutants/mutant-reach.ts";
import { instrumentService, type Mutant } from "./mutants/service-mutants.ts";
import { type AreaScore, isNoticed, scores, shareNoticed } from "./mutants/score.ts";
import { parseOptions } from "./parse-options.ts";
import { shuffled } from "./shuffled.ts";
import { suites } from "./suites.ts";
import { UsageError } from "./usage-error.ts";

const usage = `mailproof mutants [--sample N] [--seed N] [--in PATH]… [--mutant KEY]… [--lanes N] [--at-least PERCENT]
                  [--thorough] [--json FILE]

Changes the reference service automatically, in one small place at a time, and shows which changes no check notices. Such a
change is a gap in the suites, a choice that the document leaves open, or has no effect. Classes of open choices, such as the
wording of messages, are left out by the rules in scripts/mutants/open-choices.ts; the others are listed with the
reason in fixtures/faults/explained-mutants.json.

  --sample N    judge only so many, drawn at random
  --seed N      decides the draw (default: 1)
  --in PATH     only mutants of files below fixtures/service whose path begins so; may be repeated
  --mutant KEY  only this mutant; may be repeated
  --lanes N     child processes at the same time (default: 3)
  --at-least P  exit with 0 when at least P percent of those that are not explained are noticed (default: 100)
  --thorough    judge each by every check that can reach it, not until the first that notices
  --json FILE   also write each mutant with what became of it`;

const explainedFile = new URL("../fixtures/faults/explained-mutants.json", import.meta.url);

/** @returns 0 when enough of the mutants are noticed or explained */
export async function mutants(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      in: { type: "string", multiple: true, default: [""] },
      mutant: { type: "string", multiple: true, default: [] },
      lanes: { type: "string", default: "3" },
      "at-least": { type: "string", default: "100" },
      thorough: { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const lanes = wholeNumber("--lanes", values.lanes);
  const atLeast = wholeNumber("--at-least", values["at-least"]);
  const seed = wholeNumber("--seed", values.seed);
  const sample = values.sample === undefined ? Infinity : wholeNumber("--sample", values.sample);
  const explained = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(explainedFile, "utf8")));

  const all = await instrumentService();
  const named = all.filter(
    ({ file, key }) =>
      values.in.some((path) => file.startsWith(path)) &&
      (values.mutant.length === 0 || values.mutant.includes(key)),
  );
  const toNotice = named.filter(({ open }) => open === undefined);
  if (toNotice.length === 0)
    throw new UsageError("no mutant is in these files, or has this key; --json FILE of a run lists the keys");
  const chosen = shuffled(toNotice, seed).slice(0, sample);
  console.log(`${chosen.length} of ${toNotice.length} mutants, drawn with seed ${seed}`);
  console.log(leftOut(named));

  const checks = suites.flatMap((suite) => suite.checks);
  const reach = await measureMutantReach(checks);
  const judged: JudgedMutant[] = [];
  await judgeMutants(chosen, checks, reach, {
    lanes,
    ...(values.thorough && { isThorough: true }),
    onJudged(mutant) {
      judged.push(mutant);
      if (!isNoticed(mutant) && explained[mutant.key] === undefined) console.log(describe(mutant));
    },
  });
  if (values.json !== undefined) writeJson(values.json, judged);
  const rows = scores(judged, explained);
  console.log(table(rows));
  const ofAll = rows.at(-1);
  return ofAll !== undefined && 100 * shareNoticed(ofAll).share >= atLeast
    ? exitCodes.conforms
    : exitCodes.violated;
}

function writeJson(file: string, judged: readonly JudgedMutant[]): void {
  writeFileSync(file, `${JSON.stringify(judged, undefined, 2)}\n`);
}

/** How many changes each rule leaves out. */
function leftOut(named: readonly Mutant[]): string {
  const open = Map.groupBy(
    named.filter((mutant) => mutant.open !== undefined),
    (mutant) => mutant.open,
  );
  const lines = [...open].map(([reason, { length }]) => `${String(length).padStart(6)}  ${reason}`);
  return ["left out by rule:", ...lines].join("\n");
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`${option} ${text}: expected a whole number from 1 on`);
  return value;
}

function describe({ key, file, line, original, replacement, outcome }: JudgedMutant): string {
  const by = outcome.how === "undecided" ? ` (by ${outcome.check})` : "";
  return `✗ ${outcome.how}${by}: fixtures/service/${file}:${line}  ${key}
    - ${oneLine(original)}
    + ${oneLine(replacement)}`;
}

function oneLine(code: string): string {
  const line = code.replace(/\s+/gu, " ");
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}

function table(rows: readonly AreaScore[]): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = rows.map((row) => {
    const { share, from, to } = shareNoticed(row);
    const counts = [row.mutants, row.noticed, row.warned, row.explained];
    const missed = [row.undecided, row.unnoticed, row.notReached];
    return [
      row.area,
      ...counts.map(String),
      ...missed.map(String),
      percent(share),
      `${percent(from)} to ${percent(to)}`,
    ];
  });
  const head = ["area", "mutants", "noticed", "by warning", "explained"];
  const all = [[...head, "undecided", "unnoticed", "not reached", "share", "95 % interval"], ...lines];
  const widths =
    all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return all
    .map((cells) =>
      cells
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
