import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "undici";
import { originOf } from "../wire/url.ts";
import type { Target } from "../target/target.ts";
import { runArrivals } from "./engines/arrivals.ts";
import { openPool } from "./engines/dispatch.ts";
import { type TargetProcess, watchHealth } from "./machine/generator-health.ts";
import { createInvariantWatch, type InvariantWatch, type LoadViolation } from "./engines/invariants.ts";
import { encodeHistogram } from "./figures/latency-histogram.ts";
import { type LoadProfile, type Phase, type Rate, type Stream, streamName } from "./load-profile.ts";
import type { Supply } from "./load-step.ts";
import {
  findStream,
  type PhaseMeasurement,
  plannedPerSecond,
  type ProfileMeasurement,
  type StreamMeasurement,
} from "./figures/measurement.ts";
import { runSaturation } from "./engines/saturate.ts";
import { oneShard, type Shard, shareOfConnections } from "./shard.ts";
import { createStreamRecorder, type Glance, type StreamRecorder } from "./engines/stream-recorder.ts";
import type { Units } from "./figures/thresholds.ts";

export interface LoadRunOptions {
  readonly target: Target;
  readonly profile: LoadProfile;
  readonly units: Units;
  readonly signal: AbortSignal;
  readonly targetProcess?: TargetProcess | undefined;
  readonly isShort?: boolean;
  readonly shard?: Shard;
  /** When the first phase begins, with those of the other shards; the next ones follow at fixed times. */
  readonly startAt?: Date;
  /** Once a second while a phase runs. */
  readonly onGlance?: (phase: Phase, second: number, glances: readonly StreamGlance[]) => void;
}

export interface StreamGlance extends Glance {
  readonly stream: string;
  readonly scryptsPerRequest: number;
}

export interface LoadOutcome {
  readonly measurement: ProfileMeasurement;
  readonly violations: readonly LoadViolation[];
  readonly interrupted: boolean;
}

/** A shard was not ready when a phase had to begin. */
export class LateStartError extends Error {
  override readonly name = "LateStartError";
}

// What closed streams leave under way is answered meanwhile, and the next phase meets a calm target.
const pauseMs = 1000;
// Shards do not talk to each other: each phase has a time of its own, late enough for the one before it to drain.
const shardPauseMs = 4000;

/**
 * Runs the phases of a profile one after the other.
 *
 * @throws {LateStartError} when `startAt` passed during the set-up, or a phase did not drain in time for the next
 * @throws {InconclusiveError} or {@link BlockedError} when the set-up could not be made
 */
export async function runLoadProfile(options: LoadRunOptions): Promise<LoadOutcome> {
  const { profile, target, units, signal, shard = oneShard, startAt } = options;
  const supplies = new Map<Stream, Supply>();
  const watches = new Map<string, InvariantWatch>();
  const pools = new Map<string, Pool>();
  const timeoutMs = target.profile.timeout_seconds * 1000;
  const phases: PhaseMeasurement[] = [];

  try {
    for (const phase of profile.phases) {
      for (const stream of phase.streams) {
        const seconds = secondsOf(phase, options.isShort);
        supplies.set(
          stream,
          await stream.step.supply(target, { ...demandOf(stream, seconds, units, shard), signal }),
        );
      }
    }
    let dueMs = startAt?.getTime();
    for (const [at, phase] of profile.phases.entries()) {
      if (dueMs !== undefined) await waitUntil(dueMs, phase.name, signal);
      else if (at > 0) await interruptibleDelay(pauseMs, signal);
      if (signal.aborted) break;
      phases.push(await runPhase(phase));
      if (dueMs !== undefined) dueMs += secondsOf(phase, options.isShort) * 1000 + shardPauseMs;
    }
  } finally {
    for (const supply of supplies.values()) supply.close?.();
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  }
  return {
    measurement: { profile: profile.name, phases },
    violations: [...watches.values()].flatMap(({ violations }) => violations),
    interrupted: signal.aborted,
  };

  async function runPhase(phase: Phase): Promise<PhaseMeasurement> {
    const seconds = secondsOf(phase, options.isShort);
    const startedAt = new Date();
    const startMs = performance.now();
    const health = watchHealth(options.targetProcess);
    const running = phase.streams.map((stream) => {
      const recorder = createStreamRecorder(startMs);
      return { stream, recorder, done: runStream(stream, recorder, seconds, startMs) };
    });
    const live = setInterval(() => {
      const nowMs = performance.now();
      const glances = running.map(({ stream, recorder }) => ({
        stream: streamName(stream),
        scryptsPerRequest: stream.step.scryptsPerRequest,
        ...recorder.glance(nowMs),
      }));
      options.onGlance?.(phase, Math.round((nowMs - startMs) / 1000), glances);
    }, 1000);
    try {
      await Promise.all(running.map(({ done }) => done));
    } finally {
      clearInterval(live);
    }
    return {
      name: phase.name,
      ...(phase.isWarmUp && { isWarmUp: true }),
      seconds,
      startedAt: startedAt.toISOString(),
      health: health.stop(),
      streams: running.map(({ stream, recorder }) => measurementOf(stream, recorder, ratePerSecond(stream))),
    };
  }

  async function runStream(
    stream: Stream,
    recorder: StreamRecorder,
    seconds: number,
    startMs: number,
  ): Promise<void> {
    const origin = originOf(stream.step.at === "auth" ? target.authUrl : target.apiUrl);
    const supply = supplies.get(stream);
    if (supply === undefined) throw new TypeError(`no supply was made for ${streamName(stream)}`);
    const watch = watches.get(stream.step.name) ?? createInvariantWatch(stream.step.name);
    watches.set(stream.step.name, watch);
    const common = { supply, recorder, watch, timeoutMs, seconds, signal };
    if (stream.model === "closed") {
      const connections = shareOfConnections(stream.connections, shard);
      if (connections > 0) await runSaturation({ ...common, origin, connections });
      return;
    }
    const pool = pools.get(origin) ?? openPool(origin, timeoutMs);
    pools.set(origin, pool);
    const rate = ratePerSecond(stream);
    const phaseOffsetMs = (shard.index * 1000) / (rate * shard.count);
    await runArrivals({
      ...common,
      pool,
      ratePerSecond: rate,
      startMs: startMs + phaseOffsetMs,
      newConnections: stream.newConnections ?? false,
    });
  }

  /** Of this shard. */
  function ratePerSecond(stream: Stream): number {
    if (stream.model === "closed") return 0;
    if ("ofMeasured" in stream.rate) {
      const found = findStream({ profile: profile.name, phases }, stream.rate);
      if (found === undefined)
        throw new TypeError(
          `profile ${profile.name}: ${stream.rate.phase} is not before ${streamName(stream)}`,
        );
      // What was measured was this shard's share already.
      return Math.max(1, stream.rate.ofMeasured * plannedPerSecond(found.stream, found.phase.seconds));
    }
    return fixedRate(stream.rate, units) / shard.count;
  }
}

export function secondsOf(phase: Phase, isShort = false): number {
  return isShort ? (phase.shortSeconds ?? phase.seconds) : phase.seconds;
}

/** Requests a second of all shards together. */
export function fixedRate(rate: Exclude<Rate, { ofMeasured: number }>, { scryptMs, cores }: Units): number {
  return "perSecond" in rate ? rate.perSecond : (rate.ofCapacity * 1000 * cores) / scryptMs;
}

// More than a target on the same machine answers; steps of which so many are asked need nothing made for each.
const cheapPerSecond = 20_000;

/** How many requests a stream may need, on the generous side. */
export function demandOf(
  stream: Stream,
  seconds: number,
  units: Units,
  shard: Shard = oneShard,
): { requests: number; concurrency: number } {
  if (stream.model === "open" && !("ofMeasured" in stream.rate)) {
    const perSecond = fixedRate(stream.rate, units) / shard.count;
    return { requests: Math.ceil(perSecond * seconds) + 1, concurrency: Math.ceil(perSecond) };
  }
  const connections = stream.model === "closed" ? stream.connections : cheapPerSecond;
  const { scryptsPerRequest } = stream.step;
  const perSecond =
    scryptsPerRequest === 0
      ? cheapPerSecond
      : (1.5 * 1000 * units.cores) / units.scryptMs / scryptsPerRequest;
  return { requests: Math.ceil((perSecond * seconds) / shard.count) + connections, concurrency: connections };
}

function measurementOf(stream: Stream, recorder: StreamRecorder, rate: number): StreamMeasurement {
  return {
    name: streamName(stream),
    step: stream.step.name,
    model: stream.model,
    ...(stream.model === "closed" ? { connections: stream.connections } : { ratePerSecond: rate }),
    scryptsPerRequest: stream.step.scryptsPerRequest,
    failures: recorder.failures,
    ...(stream.model === "open" && { sendLag: encodeHistogram(recorder.sendLag) }),
    rows: recorder.rows(),
  };
}

async function waitUntil(dueMs: number, phase: string, signal: AbortSignal): Promise<void> {
  const waitMs = dueMs - Date.now();
  if (waitMs < 0) {
    throw new LateStartError(
      `${phase} was due at ${new Date(dueMs).toISOString()}, and this generator was ready ${(-waitMs / 1000).toFixed(1)} s later; choose a later --start-at`,
    );
  }
  await interruptibleDelay(waitMs, signal);
}

async function interruptibleDelay(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
