import { z } from "zod";

// A file may come from anywhere: every number has bounds, far beyond what a load generator can reach.
const count = z.number().int().min(0).max(1e12);
const figure = z.number().min(-1e12).max(1e12);
const positive = z.number().positive().max(1e12);
/** Seconds of a phase, and rows of a stream: a week. */
const longestSeconds = 604_800;
/** Also a part of file names. */
const runId = z.string().regex(/^[\w-]{1,100}$/u, "expected letters, digits, _ and - only");

/** One second of one stream. */
const row = z.strictObject({
  second: count.max(longestSeconds),
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
  statuses: z.record(z.string().regex(/^\d{3}$/u, "expected an HTTP status"), count),
  /** Of responses with an expected status: compressed HdrHistogram V2 in base64, µs; empty without responses. */
  latency: z.string().max(1_000_000),
});

const stream = z.strictObject({
  name: z.string(),
  step: z.string(),
  model: z.enum(["closed", "open"]),
  connections: count.exactOptional(),
  ratePerSecond: positive.exactOptional(),
  /** scrypt evaluations that one request costs the target. */
  scryptsPerRequest: z.number().min(0).max(1000),
  failures: z.strictObject({
    reset: count,
    timeout: count,
    "refused-connection": count,
    "closed-early": count,
  }),
  /** Open-loop streams: delay between the scheduled and the actual send time, encoded as `latency`. */
  sendLag: z.string().max(1_000_000).exactOptional(),
  rows: z.array(row).readonly(),
});

const phase = z.strictObject({
  name: z.string(),
  isWarmUp: z.literal(true).exactOptional(),
  /** The planned duration; later rows hold responses to requests in flight at its end. */
  seconds: z.number().positive().max(longestSeconds),
  startedAt: z.iso.datetime(),
  streams: z.array(stream).readonly(),
  health: z.strictObject({
    generatorCores: figure,
    loopLagP99Ms: figure,
    foreignCores: figure.exactOptional(),
    targetCores: figure.exactOptional(),
    /** Resident memory of the target, sampled once per second. */
    targetMiB: z.array(figure).readonly(),
    clockStepMs: figure,
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
  limit: figure,
  verdict: z.enum(["pass", "warn", "missed", "not-judged"]),
  value: figure.optional(),
  /** 95 % bootstrap confidence interval of the value. */
  interval: z.tuple([figure, figure]).readonly().optional(),
  reason: z.string().optional(),
});

const headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

/** As on the wire, with secrets replaced by fingerprints. */
const exchange = z.strictObject({
  startedAt: z.string(),
  durationMs: figure,
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body: z.string() }),
  /** Status 0: no response. */
  response: z.strictObject({ status: count, headers, body: z.string() }),
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
    .array(z.strictObject({ cause: z.enum(["machine", "measurement", "not-judged"]), text: z.string() }))
    .readonly(),
  violations: z.array(violation).readonly(),
  /** S before and after the profile, in ms; left out when S is set in the target's profile. */
  calibration: z
    .strictObject({
      beforeMs: figure,
      afterMs: figure,
      /** Busy cores while the target was idle. */
      idleCores: figure.exactOptional(),
    })
    .optional(),
});

const comparison = z.strictObject({
  profile: z.string(),
  threshold: z.string(),
  before: figure.optional(),
  /** The 95 % bootstrap confidence interval of `before`. */
  interval: z.tuple([figure, figure]).readonly().optional(),
  now: figure.optional(),
  /** Relative change: positive is worse, negative is better; left out when not compared. */
  worseBy: figure.optional(),
  isRegression: z.boolean(),
  /** Why the values were not compared. */
  notCompared: z.string().optional(),
});

/** A proof of 512 bits takes 10^154 tries. */
const costFigure = z.number().min(0).max(1e200);

const economicsLine = z.strictObject({
  where: z.string(),
  solver: z.string(),
  basis: z.enum(["measured", "estimated"]),
  hashesPerSecond: costFigure,
  /** Mean CPU time per sign-up. */
  signupCoreSeconds: costFigure,
  /** The solver's CPU time relative to the target's. */
  solveToVerify: costFigure,
});

export const loadRunSchema = z.strictObject({
  format: z.literal("mailproof-load/2"),
  id: runId,
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
  shard: z
    .strictObject({ index: count.max(9998), count: count.min(1).max(9999), startAt: z.iso.datetime() })
    .optional(),
  machine: z.strictObject({ cpu: z.string(), cores: count }),
  /** S and C, the units of thresholds: measured on this machine, or set in the target's profile. */
  units: z.strictObject({ scryptMs: positive, cores: positive, isMeasured: z.boolean() }),
  profiles: z.array(loadProfileRunSchema).readonly(),
  economics: z
    .strictObject({
      difficultyBits: costFigure,
      verifyMs: costFigure,
      expectedTries: costFigure,
      /** Number of proofs that the run solved. */
      solved: count,
      tries: count,
      /** Probability of a result at least as extreme at this difficulty; undefined without proofs. */
      pValue: costFigure.optional(),
      solvers: z.array(economicsLine).readonly(),
    })
    .optional(),
  baseline: z.strictObject({ id: runId, comparisons: z.array(comparison).readonly() }).optional(),
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
