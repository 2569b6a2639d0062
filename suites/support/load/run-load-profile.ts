import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { originOf } from "../wire/url.ts";
import type { Target } from "../target/target.ts";
import { runOpenLoop } from "./engines/open-loop.ts";
import { connectionOf } from "../target/connection.ts";
import { openPool } from "./engines/dispatch.ts";
import { type TargetProcess, monitorHealth } from "./machine/generator-health.ts";
import { createInvariantChecker, type InvariantChecker, type LoadViolation } from "./engines/invariants.ts";
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
import { runClosedLoop } from "./engines/closed-loop.ts";
import { oneShard, type Shard, shareOfConnections } from "./shard.ts";
import { createStreamRecorder, type LiveStats, type StreamRecorder } from "./engines/stream-recorder.ts";
import type { Units } from "./figures/thresholds.ts";

export interface LoadRunOptions {
  readonly target: Target;
  readonly profile: LoadProfile;
  readonly units: Units;
  readonly signal: AbortSignal;
  readonly targetProcess?: TargetProcess | undefined;
  readonly isShort?: boolean;
  readonly shard?: Shard;
  /** When the first phase starts on all shards; later phases follow at fixed offsets. */
  readonly startAt?: Date;
  /** Called once per second during a phase. */
  readonly onProgress?: (phase: Phase, second: number, stats: readonly LiveStreamStats[]) => void;
}

export interface LiveStreamStats extends LiveStats {
  readonly stream: string;
  readonly scryptsPerRequest: number;
}

export interface LoadOutcome {
  readonly measurement: ProfileMeasurement;
  readonly violations: readonly LoadViolation[];
  readonly interrupted: boolean;
}

/** This shard was not ready at the start time of a phase. */
export class LateStartError extends Error {
  override readonly name = "LateStartError";
}

// Lets the target finish requests that closed-loop streams abandoned.
const pauseMs = 1000;
// Shards do not communicate: each phase starts at a fixed time, late enough for the previous one to drain.
const shardPauseMs = 4000;

/**
 * Runs the phases of a profile in sequence.
 *
 * @throws {LateStartError} when `startAt` passed during setup, or a phase did not drain before the start of the next
 * @throws {InconclusiveError} or {@link BlockedError} when setup failed
 */
export async function runLoadProfile(options: LoadRunOptions): Promise<LoadOutcome> {
  const { profile, target, units, signal, shard = oneShard, startAt } = options;
  const supplies = new Map<Stream, Supply>();
  const checkers = new Map<string, InvariantChecker>();
  const connection = connectionOf(target.profile);
  const pools = new Map<string, Dispatcher>();
  const timeoutMs = target.profile.timeout_seconds * 1000;
  const phases: PhaseMeasurement[] = [];

  try {
    for (const phase of profile.phases) {
      for (const stream of phase.streams) {
        const seconds = phaseSeconds(phase, options.isShort);
        supplies.set(
          stream,
          await stream.step.supply(target, { ...demandOf(stream, seconds, units, shard), signal }),
        );
      }
    }
    let startsAtMs = startAt?.getTime();
    for (const [at, phase] of profile.phases.entries()) {
      if (startsAtMs !== undefined) await waitUntil(startsAtMs, phase.name, signal);
      else if (at > 0) await interruptibleDelay(pauseMs, signal);
      if (signal.aborted) break;
      phases.push(await runPhase(phase));
      if (startsAtMs !== undefined) startsAtMs += phaseSeconds(phase, options.isShort) * 1000 + shardPauseMs;
    }
  } finally {
    for (const supply of supplies.values()) supply.close?.();
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  }
  return {
    measurement: { profile: profile.name, phases },
    violations: [...checkers.values()].flatMap(({ violations }) => violations),
    interrupted: signal.aborted,
  };

  async function runPhase(phase: Phase): Promise<PhaseMeasurement> {
    const seconds = phaseSeconds(phase, options.isShort);
    const startedAt = new Date();
    const startMs = performance.now();
    const monitor = monitorHealth(options.targetProcess);
    const running = phase.streams.map((stream) => {
      const recorder = createStreamRecorder(startMs);
      return { stream, recorder, done: runStream(stream, recorder, seconds, startMs) };
    });
    const progressTimer = setInterval(() => {
      const nowMs = performance.now();
      const stats = running.map(({ stream, recorder }) => ({
        stream: streamName(stream),
        scryptsPerRequest: stream.step.scryptsPerRequest,
        ...recorder.liveStats(nowMs),
      }));
      options.onProgress?.(phase, Math.round((nowMs - startMs) / 1000), stats);
    }, 1000);
    try {
      await Promise.all(running.map(({ done }) => done));
    } finally {
      clearInterval(progressTimer);
    }
    return {
      name: phase.name,
      ...(phase.isWarmUp && { isWarmUp: true }),
      seconds,
      startedAt: startedAt.toISOString(),
      health: monitor.stop(),
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
    if (supply === undefined) throw new TypeError(`there is no supply for ${streamName(stream)}`);
    const checker = checkers.get(stream.step.name) ?? createInvariantChecker(stream.step.name);
    checkers.set(stream.step.name, checker);
    const common = { supply, recorder, checker, timeoutMs, seconds, signal };
    if (stream.model === "closed") {
      const connections = shareOfConnections(stream.connections, shard);
      if (connections > 0) await runClosedLoop({ ...common, origin, connections, connection });
      return;
    }
    const pool = pools.get(origin) ?? openPool(origin, timeoutMs, connection);
    pools.set(origin, pool);
    const rate = ratePerSecond(stream);
    const shardOffsetMs = (shard.index * 1000) / (rate * shard.count);
    await runOpenLoop({
      ...common,
      pool,
      ratePerSecond: rate,
      startMs: startMs + shardOffsetMs,
      newConnections: stream.newConnections ?? false,
    });
  }

  function ratePerSecond(stream: Stream): number {
    return shardRate(stream, { profile: profile.name, phases }, units, shard);
  }
}

/**
 * Requests per second of a shard; 0 for a closed-loop stream.
 *
 * @param measured - the phases before that of the stream
 */
export function shardRate(
  stream: Stream,
  measured: ProfileMeasurement,
  units: Units,
  { count }: Pick<Shard, "count">,
): number {
  if (stream.model === "closed") return 0;
  if ("ofMeasured" in stream.rate) {
    const found = findStream(measured, stream.rate);
    if (found === undefined)
      throw new TypeError(
        `profile ${measured.profile}: phase ${stream.rate.phase} must precede stream ${streamName(stream)}`,
      );
    // The measured rate is already this shard's share.
    return Math.max(1, stream.rate.ofMeasured * plannedPerSecond(found.stream, found.phase.seconds));
  }
  return fixedRate(stream.rate, units) / count;
}

/** @param isShort - in the short form of a profile, where a phase may last less */
export function phaseSeconds(phase: Phase, isShort = false): number {
  return isShort ? (phase.shortSeconds ?? phase.seconds) : phase.seconds;
}

/** Requests per second, all shards together. */
export function fixedRate(rate: Exclude<Rate, { ofMeasured: number }>, { scryptMs, cores }: Units): number {
  return "perSecond" in rate ? rate.perSecond : (rate.ofCapacity * 1000 * cores) / scryptMs;
}

// Above what a target on the same machine can answer. Steps without scrypt prepare nothing per request.
const cheapPerSecond = 20_000;

/** How many requests a stream may need: an upper estimate. */
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

async function waitUntil(startMs: number, phase: string, signal: AbortSignal): Promise<void> {
  const waitMs = startMs - Date.now();
  if (waitMs < 0) {
    throw new LateStartError(
      `phase ${phase} was to start at ${new Date(startMs).toISOString()}, but this generator was ready ${(-waitMs / 1000).toFixed(1)} s later; choose a later --start-at`,
    );
  }
  await interruptibleDelay(waitMs, signal);
}

async function interruptibleDelay(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
