import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { LoadPhase, LoadProfileRun, LoadRun, LoadStream, LoadThreshold } from "../load-format.ts";

type LoadRow = LoadStream["rows"][number];

export const exampleUnits: LoadRun["units"] = { scryptMs: 31, cores: 2, isMeasured: true };

function encodeLatency(latenciesMs: readonly number[]): string {
  if (latenciesMs.length === 0) return "";
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    autoResize: true,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
  });
  for (const ms of latenciesMs) histogram.recordValue(Math.max(1, Math.round(ms * 1000)));
  return encodeIntoCompressedBase64(histogram);
}

export function exampleRow(
  second: number,
  latenciesMs: readonly number[],
  changes: Partial<LoadRow> = {},
): LoadRow {
  const planned = latenciesMs.length;
  return {
    second,
    scheduled: planned,
    sent: planned,
    dropped: 0,
    planned,
    shed: 0,
    unplanned: 0,
    failed: 0,
    statuses: latenciesMs.length === 0 ? {} : { 200: latenciesMs.length },
    ...changes,
    latency: encodeLatency(latenciesMs),
  };
}

/** Deterministic latencies around a median, with a long tail. */
function exampleLatencies(count: number, medianMs: number, seed = 1): number[] {
  return Array.from({ length: count }, (_, at) => {
    const mixed = Math.sin((at + 1) * 12.9898 + seed * 78.233) * 43_758.5453;
    const share = mixed - Math.floor(mixed);
    return medianMs * (0.6 + 0.8 * share + 0.05 / (1.02 - share));
  });
}

export function exampleStream(name: string, changes: Partial<LoadStream> = {}): LoadStream {
  return {
    name,
    step: name,
    model: "open",
    ratePerSecond: 100,
    scryptsPerRequest: 0,
    failures: { reset: 0, timeout: 0, "refused-connection": 0, "closed-early": 0 },
    rows: [],
    ...changes,
  };
}

/** Rows with the same rate and slightly different latencies. */
export function exampleRows(seconds: number, perSecond: number, medianMs: number, seed = 1): LoadRow[] {
  return Array.from({ length: seconds }, (_, second) =>
    exampleRow(second, exampleLatencies(perSecond, medianMs, seed + second)),
  );
}

export function examplePhase(
  name: string,
  startSecond: number,
  seconds: number,
  streams: readonly LoadStream[],
  changes: Partial<LoadPhase> = {},
): LoadPhase {
  return {
    name,
    seconds,
    startedAt: new Date(Date.UTC(2026, 0, 1) + startSecond * 1000).toISOString(),
    streams,
    health: {
      generatorCores: 0.21,
      loopLagP99Ms: 1.4,
      foreignCores: 0.03,
      targetCores: 1.92,
      targetMiB: [148.2, 149],
      clockStepMs: 0.1,
    },
    ...changes,
  };
}

export function exampleThreshold(changes: Partial<LoadThreshold> = {}): LoadThreshold {
  return {
    id: "efficiency",
    claim: "Efficiency (verifications per second × S / cores) is at least 0.8.",
    kind: "efficiency",
    bound: "at-least",
    limit: 0.8,
    verdict: "pass",
    value: 0.94,
    interval: [0.92, 0.95],
    ...changes,
  };
}

export function exampleProfile(changes: Partial<LoadProfileRun> = {}): LoadProfileRun {
  return {
    name: "verify-forged",
    question: "Does verification use every core of the target when forged proofs of work saturate it?",
    verdict: "holds",
    phases: [
      examplePhase("saturated", 0, 6, [
        exampleStream("verify-forged", {
          model: "closed",
          connections: 16,
          scryptsPerRequest: 1,
          rows: exampleRows(6, 60, 270),
        }),
      ]),
    ],
    thresholds: [exampleThreshold()],
    invalid: [],
    violations: [],
    calibration: { beforeMs: 31, afterMs: 31.2 },
    ...changes,
  };
}

/** Cheap requests before, during and after scrypt load. */
export function exampleIsolation(changes: Partial<LoadProfileRun> = {}): LoadProfileRun {
  const probes = (seconds: number, medianMs: number, seed: number): LoadStream[] => [
    exampleStream("challenge", { rows: exampleRows(seconds, 100, medianMs, seed) }),
    exampleStream("metadata", { rows: exampleRows(seconds, 100, medianMs * 0.7, seed + 50) }),
  ];
  return exampleProfile({
    name: "isolation",
    question: "Do cheap requests stay fast while proof-of-work verification saturates every core?",
    phases: [
      examplePhase("warm-up", 0, 1, probes(1, 4, 1), { isWarmUp: true }),
      examplePhase("before", 2, 11, probes(11, 1.1, 2)),
      examplePhase("saturated", 14, 12, [
        ...probes(12, 6, 3),
        exampleStream("verify-forged", {
          model: "closed",
          connections: 16,
          scryptsPerRequest: 1,
          rows: exampleRows(12, 60, 265, 4),
        }),
      ]),
      examplePhase("after", 27, 5, probes(5, 1.3, 5)),
    ],
    thresholds: [
      exampleThreshold({
        id: "challenge-while-saturated",
        claim: "While verification saturates every core, the p99 of challenge is at most 2 S.",
        kind: "latency-in-scrypts",
        bound: "at-most",
        limit: 2,
        value: 0.36,
        interval: [0.35, 0.41],
      }),
      exampleThreshold(),
    ],
    ...changes,
  });
}

/** Increasing rates with a knee at 90 % of capacity. */
export function exampleCapacity(changes: Partial<LoadProfileRun> = {}): LoadProfileRun {
  const shares = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1];
  const capacityPerSecond = (1000 * exampleUnits.cores) / exampleUnits.scryptMs;
  return exampleProfile({
    name: "capacity",
    question: "At what share of its theoretical scrypt capacity does the target saturate?",
    phases: shares.map((share, at) => {
      const rate = share * capacityPerSecond;
      const responded = Math.round(Math.min(rate, 0.94 * capacityPerSecond));
      const medianMs = share < 0.95 ? 40 + 20 / (1 - share) : 900;
      const rows = exampleRows(5, responded, medianMs, at).map((row) =>
        share > 1 ? { ...row, shed: Math.round(rate) - responded } : row,
      );
      return examplePhase(`${Math.round(share * 100)} %`, at * 6, 5, [
        exampleStream("verify-forged", { ratePerSecond: rate, scryptsPerRequest: 1, rows }),
      ]);
    }),
    thresholds: [
      exampleThreshold({
        id: "knee",
        claim: "The target keeps up at 80 % of capacity.",
        kind: "knee",
        value: 0.9,
        interval: undefined,
      }),
    ],
    ...changes,
  });
}

export const exampleViolation: LoadProfileRun["violations"][number] = {
  step: "replay-at-once",
  expected: "at most one session per proof of work",
  observed: "2 sessions from 4 copies",
  repeated: 2,
  exchanges: [
    {
      startedAt: "2026-01-01T00:00:03.000Z",
      durationMs: 43.2,
      request: {
        method: "POST",
        url: "https://auth.example/api/v1/session",
        headers: [["content-type", "application/json"]],
        body: '{"nonce":"7"}',
      },
      response: {
        status: 200,
        headers: [["content-type", "application/json"]],
        body: '{"session":"fingerprint"}',
      },
    },
  ],
};

/** An overloaded target that sheds, errors and drops requests. */
export function exampleSpike(changes: Partial<LoadProfileRun> = {}): LoadProfileRun {
  const verifying = (rows: LoadRow[]): LoadStream[] => [
    exampleStream("verify-valid", { scryptsPerRequest: 1, ratePerSecond: 13, rows }),
  ];
  const spike = Array.from({ length: 8 }, (_, second) =>
    exampleRow(second, exampleLatencies(second < 5 ? 55 : 30, 700 + 300 * second, second), {
      shed: second < 5 ? 120 : 0,
      unplanned: second === 4 ? 12 : 0,
      failed: second === 3 ? 20 : 0,
    }),
  );
  return exampleProfile({
    name: "spike",
    question: "Does the target shed excess load during a spike and recover quickly afterwards?",
    verdict: "violated",
    phases: [
      examplePhase("before", 0, 10, verifying(exampleRows(10, 13, 34))),
      examplePhase("spike", 11, 5, verifying(spike)),
      examplePhase("after", 20, 10, verifying(exampleRows(10, 13, 35, 9))),
    ],
    thresholds: [
      exampleThreshold({
        id: "recovery",
        claim: "The target recovers within three times the time that the backlog needs.",
        kind: "recovery",
        bound: "at-most",
        limit: 3,
        value: 4.2,
        verdict: "missed",
        interval: undefined,
      }),
    ],
    violations: [exampleViolation],
    ...changes,
  });
}

export const exampleEconomics: NonNullable<LoadRun["economics"]> = {
  difficultyBits: 4,
  verifyMs: 31,
  expectedTries: 16,
  solved: 40,
  tries: 655,
  pValue: 0.83,
  solvers: [
    {
      where: "this machine, one core",
      solver: "node:crypto",
      basis: "measured",
      hashesPerSecond: 32.3,
      signupCoreSeconds: 0.5,
      solveToVerify: 16,
    },
    {
      where: "this machine, one core",
      solver: "mailproof",
      basis: "measured",
      hashesPerSecond: 75,
      signupCoreSeconds: 0.21,
      solveToVerify: 6.9,
    },
  ],
};

export const exampleBaseline: NonNullable<LoadRun["baseline"]> = {
  id: "20251231T000000-base",
  comparisons: [
    {
      profile: "verify-forged",
      threshold: "efficiency",
      before: 0.95,
      interval: [0.93, 0.96],
      now: 0.7,
      worseBy: 0.263,
      isRegression: true,
    },
    {
      profile: "isolation",
      threshold: "challenge-while-saturated",
      before: 0.4,
      interval: [0.35, 0.45],
      now: 0.36,
      worseBy: -0.1,
      isRegression: false,
    },
    {
      profile: "capacity",
      threshold: "knee",
      now: 0.9,
      isRegression: false,
      notCompared: "new: not in the earlier run",
    },
  ],
};

export function exampleLoadRun(profiles: readonly LoadProfileRun[], changes: Partial<LoadRun> = {}): LoadRun {
  return {
    format: "mailproof-load/2",
    id: "20260101T000000-abcd",
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 55_000,
    suite: { name: "mailproof", version: "0.0.0", node: "v24.0.0" },
    target: {
      authUrl: "https://auth.example",
      apiUrl: "https://api.example",
      mcpUrl: "https://mcp.example",
      isEmbedded: false,
    },
    isShort: false,
    isComplete: true,
    machine: { cpu: "Example CPU", cores: 2 },
    units: exampleUnits,
    profiles,
    ...changes,
  };
}
