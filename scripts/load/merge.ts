import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { LoadRun } from "../../reports/load-format.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { type ProfileMeasurement, total } from "../../suites/support/load/figures/measurement.ts";
import { mergeMeasurements } from "../../suites/support/load/figures/merge-measurements.ts";
import { loadProfile } from "../../suites/support/target/profile.ts";
import { parseOptions } from "../parse-options.ts";
import packageJson from "../../package.json" with { type: "json" };
import { onFileSystem } from "../run-folder/output-error.ts";
import { UsageError } from "../usage-error.ts";
import { withBaseline } from "./baseline.ts";
import { judgeProfile } from "./judge-profile.ts";
import { loadExitCode } from "./load-exit-code.ts";
import { readLoadRun } from "./read-load-run.ts";
import { findLoadProfile, withUserThresholds } from "./select-profiles.ts";
import { shardProblems } from "./shard-problems.ts";
import { writeReport } from "./write-report.ts";

interface ShardFile {
  readonly path: string;
  readonly run: LoadRun;
}

/** @returns the exit code of the merged run */
export async function mergeCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      target: { type: "string" },
      baseline: { type: "string" },
      out: { type: "string", default: "reports/runs" },
    },
  });
  if (positionals.length === 0)
    throw new UsageError("merge needs the load.json file of every shard of a run");
  const target = values.target === undefined ? undefined : loadProfile(values.target);
  const merged = mergeShards(
    positionals.map((path) => ({ path, run: readLoadRun(path) })),
    (name) => {
      const definition = findLoadProfile(name);
      return definition === undefined || target === undefined
        ? definition
        : withUserThresholds(target, [definition])[0];
    },
  );
  const baseline = values.baseline === undefined ? undefined : readLoadRun(values.baseline);
  const result = withBaseline(merged, baseline);
  const folder = join(values.out, result.id);
  onFileSystem(`write to --out ${values.out}`, () => mkdirSync(folder, { recursive: true }));
  writeReport(result, folder);
  return loadExitCode(result);
}

/**
 * Merges the histograms and counts of all shards, and judges the result. Nothing in a shard is trusted.
 *
 * @throws {UsageError} when a shard is missing, duplicate, invalid, of another run, or contradicts itself
 */
export function mergeShards(
  files: readonly ShardFile[],
  definitionOf: (name: string) => LoadProfile | undefined,
): LoadRun {
  const { first, ordered } = requireCompleteSet(files);
  const name = first.profiles[0]?.name ?? "";
  const definition = definitionOf(name);
  if (definition === undefined)
    throw new UsageError(`unknown load profile in the shards: ${JSON.stringify(name)}`);
  refuse(
    ordered.flatMap(({ path, run }) =>
      shardProblems(run, definition).map((problem) => `${path}: ${problem}`),
    ),
  );
  const parts = ordered.flatMap(({ run }) => run.profiles);
  const measurement = mergeMeasurements(parts.map(({ phases }) => ({ profile: definition.name, phases })));
  refuse(streamsWithoutRequests(measurement));
  const judged = judgeProfile(
    {
      profile: definition,
      measurement,
      violations: parts.flatMap(({ violations }) => violations),
      problems: [],
      calibration: undefined,
    },
    first.units,
  );
  const { shard: _shard, economics: _economics, baseline: _baseline, ...common } = first;
  const startedAt = ordered.map(({ run }) => run.startedAt).toSorted()[0] ?? first.startedAt;
  return {
    ...common,
    id: `${first.id}-merged-${ordered.length}`,
    startedAt,
    durationMs: Math.max(...ordered.map(({ run }) => run.durationMs)),
    isComplete: true,
    profiles: [judged],
  };
}

// The rest says the same of other rows.
const mostProblems = 10;

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, mostProblems);
  const more = problems.length - shown.length;
  throw new UsageError(
    ["these files cannot be merged:", ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n  "),
  );
}

/** What was never sent cannot hold. */
function streamsWithoutRequests({ phases }: ProfileMeasurement): string[] {
  return phases.flatMap((phase) =>
    phase.streams
      .filter((stream) => total(stream, "sent") === 0)
      .map(({ name }) => `${phase.name}: ${name}: no shard sent a request`),
  );
}

function requireCompleteSet(files: readonly ShardFile[]): { first: LoadRun; ordered: readonly ShardFile[] } {
  const problems: string[] = [];
  const [head] = files;
  if (head === undefined) throw new UsageError("merge needs the load.json file of every shard of a run");
  for (const { path, run } of files) {
    if (run.shard === undefined) problems.push(`${path} is a complete run, not a shard`);
    else
      problems.push(
        ...differences(head.run, run).map((what) => `${path} belongs to another run: different ${what}`),
      );
    if (run.suite.version !== packageJson.version)
      problems.push(`${path} was measured with another version of mailproof than ${packageJson.version}`);
    for (const { invalid, verdict } of run.profiles)
      if (verdict === "invalid" || invalid.length > 0)
        problems.push(`${path} is invalid: ${invalid.map(({ text }) => JSON.stringify(text)).join("; ")}`);
    if (!run.isComplete) problems.push(`${path} was interrupted`);
  }
  const count = head.run.shard?.count ?? 0;
  for (let index = 0; index < count; index += 1) {
    const found = files.filter(({ run }) => run.shard?.index === index);
    if (found.length === 0) problems.push(`shard ${index + 1}/${count} is missing`);
    if (found.length > 1)
      problems.push(
        `shard ${index + 1}/${count} is given ${found.length} times: ${found.map(({ path }) => path).join(", ")}`,
      );
  }
  const strangers = files.filter(({ run }) => (run.shard?.index ?? 0) >= count);
  problems.push(...strangers.map(({ path }) => `${path} says that it is a shard beyond the last, ${count}`));
  refuse(problems);
  const ordered = files.toSorted((a, b) => (a.run.shard?.index ?? 0) - (b.run.shard?.index ?? 0));
  return { first: head.run, ordered };
}

function differences(a: LoadRun, b: LoadRun): string[] {
  const same = (read: (run: LoadRun) => unknown): boolean =>
    JSON.stringify(read(a)) === JSON.stringify(read(b));
  return [
    ...(same(({ shard }) => shard?.startAt) ? [] : ["--start-at"]),
    ...(same(({ shard }) => shard?.count) ? [] : ["number of shards"]),
    ...(same(({ target }) => target) ? [] : ["target"]),
    ...(same(({ profiles }) => profiles.map(({ name }) => name)) ? [] : ["load profile"]),
    ...(same(({ isShort }) => isShort) ? [] : ["--short"]),
    ...(same(({ units }) => units)
      ? []
      : ["S or number of cores (set load.scrypt_ms and load.cores in the target's profile)"]),
  ];
}
