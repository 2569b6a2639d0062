import { failureKinds, type FailureKind } from "../engines/response.ts";
import { decodeHistogram, encodeHistogram, mergeHistograms } from "./latency-histogram.ts";
import type { Health, PhaseMeasurement, ProfileMeasurement, Row, StreamMeasurement } from "./measurement.ts";

/** The measurements are not shards of the same run. */
export class ShardMismatchError extends Error {
  override readonly name = "ShardMismatchError";
}

/**
 * Merges the measurements of all shards. Counts and histograms are added per second, so percentiles are those of all
 * responses. For the health of the generators the worst value is kept.
 *
 * @throws {ShardMismatchError} when the shards do not have the same phases and streams
 */
export function mergeMeasurements(parts: readonly ProfileMeasurement[]): ProfileMeasurement {
  const [first] = parts;
  if (first === undefined) throw new ShardMismatchError("there are no shards to merge");
  requireSame(parts, ({ profile }) => profile, "load profile");
  requireSame(parts, ({ phases }) => phases.map(phasePlan).join("; "), "phases");
  return {
    profile: first.profile,
    phases: first.phases.map((phase, at) =>
      mergePhases(
        phase,
        parts.flatMap(({ phases }) => phases.slice(at, at + 1)),
      ),
    ),
  };
}

/** The parameters that every shard must have in common. */
function phasePlan({ name, isWarmUp, seconds, streams }: PhaseMeasurement): string {
  const planned = streams.map(
    (stream) =>
      `${stream.name} (${stream.model}, ${stream.step}, ${stream.scryptsPerRequest} scrypts, ${stream.connections ?? "no"} connections)`,
  );
  return `${name}${isWarmUp ? " (warm-up)" : ""}, ${seconds} s: ${planned.join(", ")}`;
}

function requireSame(
  parts: readonly ProfileMeasurement[],
  describe: (part: ProfileMeasurement) => string,
  what: string,
): void {
  const [expected, ...others] = parts.map(describe);
  for (const [at, found] of others.entries())
    if (found !== expected)
      throw new ShardMismatchError(
        `shard ${at + 2} has a different ${what} from shard 1: expected ${expected}; found ${found}`,
      );
}

function mergePhases(first: PhaseMeasurement, phases: readonly PhaseMeasurement[]): PhaseMeasurement {
  return {
    ...first,
    startedAt: phases.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    streams: first.streams.map((stream, at) =>
      mergeStreams(
        stream,
        phases.flatMap(({ streams }) => streams.slice(at, at + 1)),
      ),
    ),
    health: worstHealth(phases.map(({ health }) => health)),
  };
}

function mergeStreams(first: StreamMeasurement, streams: readonly StreamMeasurement[]): StreamMeasurement {
  const { ratePerSecond: _rate, sendLag: _lag, ...common } = first;
  const rates = streams.flatMap(({ ratePerSecond }) => (ratePerSecond === undefined ? [] : [ratePerSecond]));
  const lags = streams.flatMap(({ sendLag }) => (sendLag === undefined ? [] : [sendLag]));
  return {
    ...common,
    ...(rates.length > 0 && { ratePerSecond: rates.reduce((sum, rate) => sum + rate, 0) }),
    ...(lags.length > 0 && { sendLag: mergeEncoded(lags) }),
    failures: addFailures(streams.map(({ failures }) => failures)),
    rows: mergeRows(streams.flatMap(({ rows }) => rows)),
  };
}

function mergeRows(rows: readonly Row[]): Row[] {
  const bySecond = Map.groupBy(rows, ({ second }) => second);
  return [...bySecond]
    .toSorted(([a], [b]) => a - b)
    .map(([second, same]) => ({
      second,
      scheduled: sum(same, (row) => row.scheduled),
      sent: sum(same, (row) => row.sent),
      dropped: sum(same, (row) => row.dropped),
      planned: sum(same, (row) => row.planned),
      shed: sum(same, (row) => row.shed),
      unplanned: sum(same, (row) => row.unplanned),
      failed: sum(same, (row) => row.failed),
      statuses: addStatuses(same.map(({ statuses }) => statuses)),
      latency: mergeEncoded(same.map(({ latency }) => latency)),
    }));
}

function mergeEncoded(encoded: readonly string[]): string {
  const nonEmpty = encoded.filter((text) => text !== "");
  // Decoding and encoding might change the bytes.
  if (nonEmpty.length === 1) return nonEmpty[0] ?? "";
  return encodeHistogram(mergeHistograms(nonEmpty.map(decodeHistogram)));
}

function addStatuses(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all = parts.flatMap((statuses) => Object.entries(statuses));
  const byStatus = Map.groupBy(all, ([status]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, counts]) => [status, sum(counts, ([, count]) => count)]),
  );
}

function addFailures(parts: readonly Readonly<Record<FailureKind, number>>[]): Record<FailureKind, number> {
  return Object.fromEntries(
    failureKinds.map((kind) => [kind, sum(parts, (failures) => failures[kind])]),
  ) as Record<FailureKind, number>;
}

function worstHealth(healths: readonly Health[]): Health {
  const max = (read: (health: Health) => number | undefined): number | undefined => {
    const known = healths.map(read).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  const foreignCores = max((health) => health.foreignCores);
  // There is one target; only shards on its machine can measure it.
  const targetCores = healths.map((health) => health.targetCores).find((cores) => cores !== undefined);
  return {
    generatorCores: max((health) => health.generatorCores) ?? 0,
    loopLagP99Ms: max((health) => health.loopLagP99Ms) ?? 0,
    ...(foreignCores !== undefined && { foreignCores }),
    ...(targetCores !== undefined && { targetCores }),
    targetMiB: healths.map((health) => health.targetMiB).find((samples) => samples.length > 0) ?? [],
    clockStepMs: max((health) => health.clockStepMs) ?? 0,
  };
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
