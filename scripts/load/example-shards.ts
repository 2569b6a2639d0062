import type { LoadPhase, LoadRun, LoadStream } from "../../reports/load-format.ts";
import { encodedMs } from "../../suites/support/load/figures/example-measurement.ts";
import {
  type LoadProfile,
  type Phase,
  type Stream,
  streamName,
} from "../../suites/support/load/load-profile.ts";
import { phaseSeconds, shardRate } from "../../suites/support/load/run-load-profile.ts";
import { type Shard, shareOfConnections } from "../../suites/support/load/shard.ts";
import packageJson from "../../package.json" with { type: "json" };

const units = { scryptMs: 200, cores: 2, isMeasured: false };

/** What load generators would write of a load profile, with every response after the same time. */
export function exampleShards(profile: LoadProfile, count: number): LoadRun[] {
  return Array.from({ length: count }, (_, index) => exampleShard(profile, { index, count }));
}

function exampleShard(profile: LoadProfile, shard: Shard): LoadRun {
  const phases: LoadPhase[] = [];
  for (const phase of profile.phases) phases.push(examplePhase(phase, phases, shard));
  return {
    format: "mailproof-load/2",
    id: `20260101T000000-000${shard.index}`,
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 30_000,
    suite: { name: "mailproof", version: packageJson.version, node: "v24.0.0" },
    target: {
      authUrl: "https://auth.example",
      apiUrl: "https://api.example",
      mcpUrl: "https://mcp.example",
      isEmbedded: false,
    },
    isShort: true,
    isComplete: true,
    shard: { ...shard, startAt: "2026-01-01T00:00:00.000Z" },
    machine: { cpu: "example", cores: 4 },
    units,
    profiles: [
      {
        name: profile.name,
        question: profile.question,
        verdict: "holds",
        phases,
        thresholds: [],
        invalid: [],
        violations: [],
      },
    ],
  };
}

function examplePhase(phase: Phase, earlier: readonly LoadPhase[], shard: Shard): LoadPhase {
  const seconds = phaseSeconds(phase, true);
  return {
    name: phase.name,
    ...(phase.isWarmUp && { isWarmUp: true }),
    seconds,
    startedAt: "2026-01-01T00:00:00.000Z",
    streams: phase.streams.map((stream) => {
      const rate =
        stream.model === "open"
          ? shardRate(stream, { profile: "", phases: earlier }, units, shard)
          : Math.min(closedPerSecond, shareOfConnections(stream.connections, shard));
      return exampleStream(stream, rate, seconds);
    }),
    health: { generatorCores: 0.2, loopLagP99Ms: 1, targetMiB: [], clockStepMs: 0 },
  };
}

// As many as a target of these units could answer, were they all scrypt.
const closedPerSecond = (1000 * units.cores) / units.scryptMs;
const latencyMs = 20;

function exampleStream(stream: Stream, rate: number, seconds: number): LoadStream {
  const total = Math.round(rate * seconds);
  const isOpen = stream.model === "open";
  return {
    name: streamName(stream),
    step: stream.step.name,
    model: stream.model,
    ...(stream.model === "closed" ? { connections: stream.connections } : { ratePerSecond: rate }),
    scryptsPerRequest: stream.step.scryptsPerRequest,
    failures: { reset: 0, timeout: 0, "refused-connection": 0, "closed-early": 0 },
    ...(isOpen && { sendLag: encodedLatencies(total, 0.1) }),
    rows: Array.from({ length: total === 0 ? 0 : seconds }, (_, second) => {
      const upTo = (end: number): number => Math.round((total * end) / seconds);
      const count = upTo(second + 1) - upTo(second);
      return {
        second,
        scheduled: isOpen ? count : 0,
        sent: count,
        dropped: 0,
        planned: count,
        shed: 0,
        unplanned: 0,
        failed: 0,
        statuses: count === 0 ? {} : { 200: count },
        latency: encodedLatencies(count, latencyMs),
      };
    }),
  };
}

function encodedLatencies(count: number, ms: number): string {
  return encodedMs(Array.from({ length: count }, () => ms));
}
