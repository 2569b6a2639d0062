import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LoadProfileRun, LoadRun } from "../../reports/load-format.ts";
import type { LoadProfile } from "../../suites/support/load/load-profile.ts";
import { mergeMeasurements } from "../../suites/support/load/figures/merge-measurements.ts";
import { loadProfile } from "../../suites/support/target/profile.ts";
import { UsageError } from "../usage-error.ts";
import { withBaseline } from "./baseline.ts";
import { judgeProfile } from "./judge-profile.ts";
import { loadExitCode } from "./load-exit-code.ts";
import { readLoadRun } from "./read-load-run.ts";
import { findLoadProfile, withUserThresholds } from "./select-profiles.ts";
import { writeReport } from "./write-report.ts";

interface ShardFile {
  readonly path: string;
  readonly run: LoadRun;
}

/** @returns the exit code of the merged run */
export async function mergeCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
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
  writeReport(result, join(values.out, result.id));
  return loadExitCode(result);
}

/**
 * Merges the histograms and counts of all shards, and judges the result.
 *
 * @throws {UsageError} when a shard is missing, duplicate, invalid or of another run
 */
export function mergeShards(
  files: readonly ShardFile[],
  definitionOf: (name: string) => LoadProfile | undefined,
): LoadRun {
  const { first, ordered } = requireCompleteSet(files);
  const [profile] = first.profiles;
  const definition = definitionOf(profile?.name ?? "");
  if (profile === undefined || definition === undefined)
    throw new UsageError(`unknown load profile in the shards: ${profile?.name}`);
  const parts = ordered.flatMap(({ run }) => run.profiles);
  const measurement = mergeMeasurements(parts.map(({ name, phases }) => ({ profile: name, phases })));
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
  const { shard: _shard, economics: _economics, ...common } = first;
  const startedAt = ordered.map(({ run }) => run.startedAt).toSorted()[0] ?? first.startedAt;
  return {
    ...common,
    id: `${first.id}-merged-${ordered.length}`,
    startedAt,
    durationMs: Math.max(...ordered.map(({ run }) => run.durationMs)),
    isComplete: ordered.every(({ run }) => run.isComplete),
    profiles: [judged],
  };
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
    for (const { name, invalid, verdict } of run.profiles)
      if (verdict === "invalid")
        problems.push(`${path} is invalid: ${name}: ${invalid.map(({ text }) => text).join("; ")}`);
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
  if (problems.length > 0) throw new UsageError(["these files cannot be merged:", ...problems].join("\n  "));
  const ordered = files.toSorted((a, b) => (a.run.shard?.index ?? 0) - (b.run.shard?.index ?? 0));
  return { first: head.run, ordered };
}

function differences(a: LoadRun, b: LoadRun): string[] {
  const names = (run: LoadRun): string => run.profiles.map(({ name }: LoadProfileRun) => name).join();
  return [
    ...(a.shard?.startAt === b.shard?.startAt ? [] : ["--start-at"]),
    ...(a.shard?.count === b.shard?.count ? [] : ["number of shards"]),
    ...(a.target.authUrl === b.target.authUrl ? [] : ["target"]),
    ...(names(a) === names(b) ? [] : ["load profile"]),
    ...(a.isShort === b.isShort ? [] : ["--short"]),
    ...(a.units.scryptMs === b.units.scryptMs && a.units.cores === b.units.cores
      ? []
      : ["S or number of cores (set load.scrypt_ms and load.cores in the target's profile)"]),
  ];
}
