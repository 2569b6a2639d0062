import { z } from "zod";

const count = z.number().int().min(0);

/** One second of one stream. */
const row = z.strictObject({
  second: count,
  scheduled: count,
  sent: count,
  dropped: count,
  /** Responses with an expected status. */
  planned: count,
  /** Responses with 429, or 503 with `Retry-After`. */
  shed: count,
  /** Responses with any other status. */
  unplanned: count,
  /** Requests without a response. */
  failed: count,
  /** Number of responses by HTTP status. */
  statuses: z.record(z.string(), count),
  /** Of responses with an expected status: compressed HdrHistogram V2 in base64, µs; empty without responses. */
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
  /** Open-loop streams: delay between the scheduled and the actual send time, encoded as `latency`. */
  sendLag: z.string().exactOptional(),
  rows: z.array(row).readonly(),
});

const phase = z.strictObject({
  name: z.string(),
  isWarmUp: z.literal(true).exactOptional(),
  /** The planned duration; later rows hold responses to requests in flight at its end. */
  seconds: z.number(),
  startedAt: z.iso.datetime(),
  streams: z.array(stream).readonly(),
  health: z.strictObject({
    generatorCores: z.number(),
    loopLagP99Ms: z.number(),
    foreignCores: z.number().exactOptional(),
    targetCores: z.number().exactOptional(),
    /** Resident memory of the target, sampled once per second. */
    targetMiB: z.array(z.number()).readonly(),
    clockStepMs: z.number(),
  }),
});

const threshold = z.strictObject({
  id: z.string(),
  claim: z.string(),
  /** Determines the unit of the value. */
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
  /** 95 % bootstrap confidence interval of the value. */
  interval: z.tuple([z.number(), z.number()]).readonly().optional(),
  reason: z.string().optional(),
});

const headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

/** As on the wire, with secrets replaced by fingerprints. */
const exchange = z.strictObject({
  startedAt: z.string(),
  durationMs: z.number(),
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body: z.string() }),
  /** Status 0: no response. */
  response: z.strictObject({ status: z.number(), headers, body: z.string() }),
});

const violation = z.strictObject({
  step: z.string(),
  expected: z.string(),
  observed: z.string(),
  /** How many more times it was observed. */
  repeated: count,
  exchanges: z.array(exchange).readonly(),
});

export const loadProfileRunSchema = z.strictObject({
  name: z.string(),
  question: z.string(),
  /** `violated`: a response violates the document. `invalid`: the measurement is unusable, neither pass nor fail. */
  verdict: z.enum(["holds", "warns", "missed", "violated", "invalid"]),
  phases: z.array(phase).readonly(),
  thresholds: z.array(threshold).readonly(),
  /** Why the measurement is invalid. */
  invalid: z
    .array(z.strictObject({ cause: z.enum(["machine", "measurement"]), text: z.string() }))
    .readonly(),
  violations: z.array(violation).readonly(),
  /** S before and after the profile, in ms; left out when S is set in the target's profile. */
  calibration: z
    .strictObject({
      beforeMs: z.number(),
      afterMs: z.number(),
      /** Busy cores while the target was idle. */
      idleCores: z.number().exactOptional(),
    })
    .optional(),
});

const comparison = z.strictObject({
  profile: z.string(),
  threshold: z.string(),
  before: z.number().optional(),
  /** The 95 % bootstrap confidence interval of `before`. */
  interval: z.tuple([z.number(), z.number()]).readonly().optional(),
  now: z.number().optional(),
  /** Relative change: positive is worse, negative is better; left out when not compared. */
  worseBy: z.number().optional(),
  isRegression: z.boolean(),
  /** Why the values were not compared. */
  notCompared: z.string().optional(),
});

const economicsLine = z.strictObject({
  where: z.string(),
  solver: z.string(),
  basis: z.enum(["measured", "estimated"]),
  hashesPerSecond: z.number(),
  /** Mean CPU time per sign-up. */
  signupCoreSeconds: z.number(),
  /** The solver's CPU time relative to the target's. */
  solveToVerify: z.number(),
});

export const loadRunSchema = z.strictObject({
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
  /** Which shard of a run this is. */
  shard: z.strictObject({ index: count, count: count.min(1), startAt: z.iso.datetime() }).optional(),
  machine: z.strictObject({ cpu: z.string(), cores: count }),
  /** S and C, the units of thresholds: measured on this machine, or set in the target's profile. */
  units: z.strictObject({ scryptMs: z.number(), cores: z.number(), isMeasured: z.boolean() }),
  profiles: z.array(loadProfileRunSchema).readonly(),
  economics: z
    .strictObject({
      difficultyBits: z.number(),
      verifyMs: z.number(),
      expectedTries: z.number(),
      /** Number of proofs that the run solved. */
      solved: count,
      tries: count,
      /** Probability of a result at least as extreme at this difficulty; undefined without proofs. */
      pValue: z.number().optional(),
      solvers: z.array(economicsLine).readonly(),
    })
    .optional(),
  baseline: z.strictObject({ id: z.string(), comparisons: z.array(comparison).readonly() }).optional(),
});

/** A load run, as in `load.json`. All reports are rendered from it alone. */
export type LoadRun = z.infer<typeof loadRunSchema>;
export type LoadProfileRun = z.infer<typeof loadProfileRunSchema>;
export type LoadPhase = z.infer<typeof phase>;
export type LoadStream = z.infer<typeof stream>;
export type LoadThreshold = z.infer<typeof threshold>;
export type LoadComparison = z.infer<typeof comparison>;

/** The file is not a load run, or is one of another version. */
export class LoadFormatError extends Error {
  override readonly name = "LoadFormatError";
}

/**
 * @param text - a `load.json` or a shard file
 * @param source - its path, for error messages
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
  throw new LoadFormatError(
    [`${source} is not a load run of this version of mailproof:`, ...lines].join("\n"),
  );
}
