import { z } from "zod";
import { type RunFinding, severities } from "./finding-format.ts";
import {
  type Run,
  type RunCheck,
  type RunEnvironment,
  type RunExchange,
  type RunLeftBehind,
  type RunStatement,
  type RunSuite,
  type RunTarget,
  type RunTargetFingerprint,
  exchangeRoles,
  runVerdicts,
} from "./run-format.ts";

// Loose objects throughout: members that a later version adds are kept.

export const count = z.number().int().min(0);
export const milliseconds = z.number().min(0);
export const runVerdict = z.enum(runVerdicts);
const texts = z.array(z.string()).readonly();
const share = z.number().min(0).max(1);

export const runId = z.string().regex(/^[\w-]{1,100}$/u, "expected letters, digits, _ and - only");

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/u, "expected a SHA-256 digest in hexadecimal");

export const suiteSchema: z.ZodType<RunSuite> = z.looseObject({
  name: z.literal("mailproof"),
  version: z.string(),
  node: z.string().describe("The version of Node.js that ran it."),
  checksSha256: sha256.describe("Of all checks that the run chose from."),
  requirementsSha256: sha256.describe("Of all requirements that the run chose from."),
});

export const environmentSchema: z.ZodType<RunEnvironment> = z.looseObject({
  os: z.string(),
  cpus: count,
  flags: texts.describe("The arguments of the command."),
});

export const fingerprintSchema: z.ZodType<RunTargetFingerprint> = z
  .looseObject({
    issuer: z.string().exactOptional(),
    metadataSha256: sha256.exactOptional().describe("Of the metadata document's bytes."),
    jwkThumbprints: texts.exactOptional().describe("RFC 7638, in the order of the JWKS."),
    tls: z
      .array(z.looseObject({ origin: z.string(), certificateSha256: sha256, publicKeySha256: sha256 }))
      .readonly()
      .exactOptional(),
  })
  .describe("What tells one target from another, as the run saw it first.");

export const targetSchema: z.ZodType<RunTarget> = z.looseObject({
  authUrl: z.string(),
  apiUrl: z.string(),
  mcpUrl: z.string(),
  isEmbedded: z.boolean().describe("The reference service that comes with the suite."),
  fingerprint: fingerprintSchema.exactOptional(),
});

export const profileSchema = z
  .record(z.string(), z.unknown())
  .describe("The profile's file, with the references to secrets in place of secrets.");

export const expensesFields = {
  ledger: z.record(z.string(), count).describe("What the run made on the target: how often of each."),
  proofOfWork: z.looseObject({
    tries: count,
    busyMs: milliseconds.describe("By the clock, summed over the threads."),
    cpuMs: milliseconds.exactOptional().describe("Processor time."),
  }),
};

export const leftBehindSchema: z.ZodType<RunLeftBehind> = z
  .looseObject({
    clients: z.array(z.looseObject({ client_id: z.string(), isDeleted: z.boolean() })).readonly(),
    grants: z.looseObject({
      made: count,
      revoked: count,
      ofDisabledClients: count
        .exactOptional()
        .describe("Of those that stay: grants to clients that the run had disabled."),
      refusedWith: count
        .exactOptional()
        .describe("Status of the first answer to another client that revoked nothing."),
    }),
    agents: texts.describe("The inboxes of the agents that were signed up."),
    emails: count,
    submissions: count,
  })
  .describe("What stays on the target; absent when the run ended before it tidied up.");

export const leftOutSchema = z.array(z.looseObject({ needs: z.string(), checks: texts })).readonly();

const statementFields = {
  id: z.string(),
  source: z.enum(["document", "rfc", "own"]),
  section: z.string(),
  level: z.string(),
  statement: z.string(),
};

const statement: z.ZodType<RunStatement> = z
  .looseObject(statementFields)
  .meta({ id: "statement", description: "A statement that conforming targets satisfy." });

const bar = z.looseObject({
  step: count,
  label: z.string(),
  outcome: z.enum(["accepted", "refused", "no answer"]),
  fromMs: z.number(),
  toMs: z.number(),
  isAfterwards: z.literal(true).exactOptional(),
  isContradiction: z.literal(true).exactOptional(),
});

const storyStep = z.record(
  z.string(),
  z.union([
    z.string().describe("Who, or which of several."),
    z.number().describe("The step that issued what is presented, or seconds."),
    z.boolean().describe("Whether it is so."),
  ]),
);

const story = z.looseObject({
  kind: z.enum(["grants", "agents", "burst"]),
  steps: z.array(storyStep).readonly().describe("One after the other."),
  together: z
    .array(storyStep)
    .readonly()
    .exactOptional()
    .describe("Sent at the same moment, after the others."),
});

const growth = z.looseObject({
  over: z.string().describe("What was tried, in the plural."),
  lines: z
    .array(
      z.looseObject({
        label: z.string(),
        possible: count.describe("How many there can be."),
        points: z.array(z.looseObject({ tried: count, seen: count })).readonly(),
      }),
    )
    .readonly(),
});

/** Those that a check has by itself, before it is compared with the others. */
export const judgedCheckFields = {
  id: z.string(),
  requirement: statement,
  interpretations: texts.exactOptional(),
  suite: z.string(),
  kind: z.enum(["check", "recommend", "observe"]),
  sentence: z.string().describe("The claim that was judged, or the question that was answered."),
  verdict: runVerdict,
  reason: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  observed: z.string().exactOptional(),
  steps: z.array(z.string()).readonly().exactOptional(),
  bars: z
    .array(bar)
    .readonly()
    .exactOptional()
    .describe("Simultaneous requests over time, in milliseconds since the first, and what followed."),
  story: story
    .exactOptional()
    .describe(
      "The story as data. What a step presents goes by the number of the step that issued it, counted from 1.",
    ),
  growth: growth
    .exactOptional()
    .describe("For an observation of how much was seen: how that grew with what was tried."),
  certainty: z
    .looseObject({
      tries: count.describe("What had the chance to show a defect: requests, connections, tries."),
      probability: share.describe("That a defect would have shown; 1 where nothing was left to chance."),
      basis: z.string().describe("What was tried, and what the probability rests on."),
    })
    .exactOptional()
    .describe("For a pass that rests on samples: how sure it is."),
  reproduced: z
    .looseObject({ tried: count, failed: count })
    .exactOptional()
    .describe("How often it was judged once more, alone, after it had failed, and how often it failed then."),
  defect: z.literal(true).exactOptional().describe("A defect of the suite, not of the target."),
  durationMs: milliseconds,
  decisive: count
    .exactOptional()
    .describe("Number of the exchange that broke the claim, or stood in the way."),
  exchanges: z.array(z.looseObject({ number: count, role: z.enum(exchangeRoles) })).readonly(),
};

const check: z.ZodType<RunCheck> = z
  .looseObject({
    ...judgedCheckFields,
    explainedBy: texts
      .exactOptional()
      .describe("Failing checks that judge what stood in the way of an inconclusive one."),
    known: z.string().exactOptional().describe("The profile knows of this result and gives this reason."),
  })
  .meta({ id: "check" });

const headers = z.array(z.tuple([z.string(), z.string()]).readonly()).readonly();

const cut = z.looseObject({ bytes: count, sha256 }).meta({
  id: "cutBody",
  description: "What was left out of a body behind the text that is there: its length and its digest.",
});

export const exchangeSchema: z.ZodType<RunExchange> = z
  .looseObject({
    number: count,
    startedAt: z.string(),
    durationMs: milliseconds,
    isCut: z
      .literal(true)
      .exactOptional()
      .describe("It only prepared checks that passed: header lines and bodies were not kept."),
    request: z.looseObject({
      method: z.string(),
      url: z.string().describe("Origin and request target, verbatim."),
      headers,
      body: z.string(),
      cut: cut.exactOptional(),
      isChunked: z.literal(true).exactOptional(),
      node: z
        .string()
        .exactOptional()
        .describe("Host and port of the node that it went to instead of the host of its URL."),
    }),
    response: z.looseObject({
      status: count.describe("0: no answer came."),
      headers,
      body: z.string(),
      cut: cut.exactOptional(),
    }),
  })
  .meta({ id: "exchange" });

const finding: z.ZodType<RunFinding> = z
  .looseObject({
    id: z.string(),
    kind: z.enum(["defect", "common-answer", "requirement"]),
    sentence: z.string(),
    severity: z.enum(severities),
    consequence: z.string(),
    section: z.string(),
    cause: z.string().exactOptional(),
    mend: z.string().exactOptional(),
    confidence: z
      .looseObject({ rule: share, defect: share })
      .exactOptional()
      .describe("Calibrated probabilities: of the rule that is broken, and of the exact defect."),
    fault: z.string().exactOptional(),
    explains: texts.describe("Failing checks. The first shows the defect best."),
    against: texts.describe("Checks that the defect would make fail, but that passed."),
    alternatives: z
      .array(z.looseObject({ fault: z.string(), sentence: z.string(), confidence: share }))
      .readonly(),
  })
  .meta({ id: "finding" });

/** What `run.json` is read by, and what its JSON Schema is made of. */
export const runSchema: z.ZodType<Run> = z
  .looseObject({
    format: z.literal("mailproof-run/3"),
    id: runId,
    startedAt: z.iso.datetime(),
    durationMs: milliseconds,
    suite: suiteSchema,
    environment: environmentSchema,
    target: targetSchema,
    profile: profileSchema.exactOptional(),
    isComplete: z.boolean().describe("False when the run ended before all checks were judged."),
    isReadOnly: z.literal(true).exactOptional(),
    counts: z.record(runVerdict, count),
    coverage: z.looseObject({ requirements: count, decided: count }),
    ...expensesFields,
    leftBehind: leftBehindSchema.exactOptional(),
    findings: z.array(finding).readonly().describe("What is wrong, the gravest first."),
    sections: texts.describe(
      "The headings of the interface document in its order, as paths: `Errors › PoW endpoints`.",
    ),
    requirements: z
      .array(
        z.looseObject({
          ...statementFields,
          checks: texts,
          verdict: runVerdict.exactOptional(),
          notJudged: z.string().exactOptional().describe("Why this run has no check of it."),
        }),
      )
      .readonly(),
    checks: z.array(check).readonly(),
    leftOut: leftOutSchema.describe(
      "Checks that were not run, since the profile lacks a key that they need.",
    ),
    interpretations: z
      .array(z.looseObject({ id: z.string(), question: z.string(), reading: z.string() }))
      .readonly(),
    knownProblems: texts.describe("Known results that this run contradicts, or that have expired."),
    cutExchanges: count
      .exactOptional()
      .describe("How many exchanges are cut to their first lines; absent when all are whole."),
    exchanges: z.array(exchangeSchema).readonly().describe("In the order in which they were sent."),
  })
  .meta({
    title: "mailproof run",
    description: "One execution of mailproof's conformance suite, as run.json holds it.",
  });

/** The JSON Schema (2020-12) of `run.json`. */
export function runJsonSchema(): unknown {
  return z.toJSONSchema(runSchema, { io: "output" });
}
