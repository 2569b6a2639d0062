import { z } from "zod";

const count = z.number().int().min(0);

/** One second of one stream. */
const row = z.strictObject({
  second: count,
  scheduled: count,
  sent: count,
  dropped: count,
  /** Answered as the document wants it. */
  planned: count,
  /** Answered with 429, or with 503 and `Retry-After`. */
  shed: count,
  unplanned: count,
  failed: count,
  /** How many answers had which HTTP status. */
  statuses: z.record(z.string(), count),
  /** Of the planned answers: HdrHistogram V2, deflated, base64, µs; empty text when there are none. */
  latency: z.string(),
});

const stream = z.strictObject({
  name: z.string(),
  step: z.string(),
  model: z.enum(["closed", "open"]),
  connections: count.exactOptional(),
  ratePerSecond: z.number().exactOptional(),
  /** scrypt evaluations that one request costs the target. */
  scryptsPerRequest: z.number(),
  failures: z.strictObject({
    reset: count,
    timeout: count,
    "refused-connection": count,
    "closed-early": count,
  }),
  /** Open streams: from when a request was due to when it was sent, encoded as `latency`. */
  sendLag: z.string().exactOptional(),
  rows: z.array(row).readonly(),
});

const phase = z.strictObject({
  name: z.string(),
  isWarmUp: z.literal(true).exactOptional(),
  /** As planned; rows of later seconds hold what was still under way at its end. */
  seconds: z.number(),
  startedAt: z.iso.datetime(),
  streams: z.array(stream).readonly(),
  health: z.strictObject({
    generatorCores: z.number(),
    loopLagP99Ms: z.number(),
    foreignCores: z.number().exactOptional(),
    targetCores: z.number().exactOptional(),
    /** Resident memory of the target, a sample a second. */
    targetMiB: z.array(z.number()).readonly(),
    clockStepMs: z.number(),
  }),
});

const threshold = z.strictObject({
  id: z.string(),
  claim: z.string(),
  /** What the figure is, and so its unit. */
  kind: z
    .enum([
      "efficiency",
      "latency-in-scrypts",
      "answered-share",
      "rate-ratio",
      "recovery",
      "knee",
      "p99-growth",
      "memory-growth",
      "latency-ms",
      "rate",
    ])
    .optional(),
  bound: z.enum(["at-least", "at-most"]),
  limit: z.number(),
  verdict: z.enum(["pass", "warn", "missed", "not-judged"]),
  value: z.number().optional(),
  /** 95 % bootstrap interval of the value over the seconds of the run. */
  interval: z.tuple([z.number(), z.number()]).readonly().optional(),
  reason: z.string().optional(),
});

const headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

/** As it crossed the wire, secrets replaced by fingerprints. */
const exchange = z.strictObject({
  startedAt: z.string(),
  durationMs: z.number(),
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body: z.string() }),
  /** Status 0: no answer came. */
  response: z.strictObject({ status: z.number(), headers, body: z.string() }),
});

const violation = z.strictObject({
  step: z.string(),
  expected: z.string(),
  observed: z.string(),
  /** How many more of the same kind there were. */
  repeated: count,
  exchanges: z.array(exchange).readonly(),
});

const profile = z.strictObject({
  name: z.string(),
  question: z.string(),
  /** `violated` is an answer against the document; `invalid` was measured badly and is neither pass nor fail. */
  verdict: z.enum(["holds", "warns", "missed", "violated", "invalid"]),
  phases: z.array(phase).readonly(),
  thresholds: z.array(threshold).readonly(),
  /** Why the measurement says nothing about the target. */
  invalid: z
    .array(z.strictObject({ cause: z.enum(["machine", "measurement"]), text: z.string() }))
    .readonly(),
  violations: z.array(violation).readonly(),
  /** One scrypt on this machine just before and just after, ms; left out when S was given by the target's profile. */
  calibration: z
    .strictObject({
      beforeMs: z.number(),
      afterMs: z.number(),
      /** Cores that were busy while nothing was asked of the target. */
      idleCores: z.number().exactOptional(),
    })
    .optional(),
});

const comparison = z.strictObject({
  profile: z.string(),
  threshold: z.string(),
  before: z.number().optional(),
  /** The earlier run's 95 % bootstrap interval. */
  interval: z.tuple([z.number(), z.number()]).readonly().optional(),
  now: z.number().optional(),
  /** Worse by this share; negative when it is better; left out when the two were not compared. */
  worseBy: z.number().optional(),
  isRegression: z.boolean(),
  /** Why they were not compared. */
  notCompared: z.string().optional(),
});

const economicsLine = z.strictObject({
  where: z.string(),
  solver: z.string(),
  basis: z.enum(["measured", "estimated"]),
  hashesPerSecond: z.number(),
  /** Processor time of one core that a sign-up takes on average. */
  signupCoreSeconds: z.number(),
  /** Solver's work for each unit of the target's. */
  solveToVerify: z.number(),
});

const loadRunSchema = z.strictObject({
  format: z.literal("mailproof-load/2"),
  id: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: count,
  suite: z.strictObject({ name: z.literal("mailproof"), version: z.string(), node: z.string() }),
  target: z.strictObject({
    authUrl: z.string(),
    apiUrl: z.string(),
    mcpUrl: z.string(),
    isEmbedded: z.boolean(),
  }),
  isShort: z.boolean(),
  /** False when it was interrupted. */
  isComplete: z.boolean(),
  /** A part of a run that several generators make together. */
  shard: z.strictObject({ index: count, count: count.min(1), startAt: z.iso.datetime() }).optional(),
  machine: z.strictObject({ cpu: z.string(), cores: count }),
  /** S and C, in which thresholds are expressed; measured here, or given by the profile for a target elsewhere. */
  units: z.strictObject({ scryptMs: z.number(), cores: z.number(), isMeasured: z.boolean() }),
  profiles: z.array(profile).readonly(),
  economics: z
    .strictObject({
      difficultyBits: z.number(),
      verifyMs: z.number(),
      expectedTries: z.number(),
      /** Of the proofs that the run solved. */
      solved: count,
      tries: count,
      /** Chance that so many tries or more extreme ones come of this difficulty; undefined without proofs. */
      pValue: z.number().optional(),
      solvers: z.array(economicsLine).readonly(),
    })
    .optional(),
  baseline: z.strictObject({ id: z.string(), comparisons: z.array(comparison).readonly() }).optional(),
});

/** One load run, as `load.json` holds it. Everything that shows it is rendered from this and from nothing else. */
export type LoadRun = z.infer<typeof loadRunSchema>;
export type LoadProfileRun = z.infer<typeof profile>;
export type LoadPhase = z.infer<typeof phase>;
export type LoadStream = z.infer<typeof stream>;
export type LoadThreshold = z.infer<typeof threshold>;
export type LoadComparison = z.infer<typeof comparison>;

/** What is no load run, or one of another version. The message says what was expected where. */
export class LoadFormatError extends Error {
  override readonly name = "LoadFormatError";
}

/**
 * @param text - a `load.json` or a shard file
 * @param source - its path, for messages
 * @throws {LoadFormatError}
 */
export function parseLoadRun(text: string, source: string): LoadRun {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new LoadFormatError(`${source} is not JSON: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
  const parsed = loadRunSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `  ${path.join(".") || "(top level)"}: ${message}`);
  throw new LoadFormatError([`${source} is no load run of this version of mailproof:`, ...lines].join("\n"));
}
