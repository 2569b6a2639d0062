import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleFinding, exampleRun } from "./example-run.ts";
import { hostileRun } from "./hostile-run.ts";
import type { Run } from "./run-format.ts";
import { runJsonSchema, runSchema } from "./run-schema.ts";

/** A validator that is not the one that reads runs. */
function validator(schema: unknown): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(schema as AnySchemaObject);
}

/** The schema with every object closed: a member that it does not describe is an error. */
function closed(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    typeof value === "object" && value !== null && "properties" in value
      ? { ...value, additionalProperties: false }
      : value,
  );
}

const isRun = validator(closed(runJsonSchema()));

function errorsOf(run: unknown): unknown[] {
  isRun(JSON.parse(JSON.stringify(run)));
  return isRun.errors ?? [];
}

const sha256 = "0".repeat(64);
const interrupted = exampleRun([exampleCheck({ verdict: "blocked", reason: "needs a human" })], {
  isComplete: false,
  isReadOnly: true,
  cutExchanges: 1,
  exchanges: [{ ...exampleExchange(0, { isChunked: true }), isCut: true }],
});
const violated = exampleRun(
  [
    exampleCheck({
      verdict: "fail",
      expected: "a",
      observed: "b",
      interpretations: ["C-01"],
      decisive: 0,
    }),
    exampleCheck({ verdict: "inconclusive", explainedBy: ["A-1"], defect: true, known: "k" }),
  ],
  {
    target: {
      ...exampleRun([]).target,
      fingerprint: {
        issuer: "https://auth.example",
        metadataSha256: sha256,
        jwkThumbprints: ["a"],
        tls: [{ origin: "https://auth.example", certificateSha256: sha256, publicKeySha256: sha256 }],
      },
    },
    profile: { auth_url: "https://auth.example", humans: [] },
    leftBehind: {
      clients: [{ client_id: "a", isDeleted: true }],
      grants: { made: 2, revoked: 1 },
      agents: ["a"],
      emails: 1,
      submissions: 0,
    },
    findings: [
      exampleFinding({ alternatives: [{ fault: "a/b", sentence: "The service …", confidence: 0.1 }] }),
    ],
    requirements: [{ ...exampleCheck({}).requirement, checks: [], notJudged: "not selected" }],
    leftOut: [{ needs: "internal_urls", checks: ["INT-01/get"] }],
    interpretations: [{ id: "C-01", question: "Which?", reading: "Either." }],
    knownProblems: ["A-1 has expired"],
    exchanges: [exampleExchange(0, {}, { cut: { bytes: 5, sha256 } })],
  },
);

test.for([
  { why: "that conforms", run: exampleRun([exampleCheck({})]) },
  { why: "of nothing", run: exampleRun([]) },
  { why: "that was interrupted", run: interrupted },
  { why: "with violations", run: violated },
])("the published schema accepts a run $why, and knows each of its members", ({ run }) => {
  expect(errorsOf(run)).toEqual([]);
  expect(runSchema.parse(run)).toEqual(run);
});

test("the published schema accepts whatever a target sends", () => {
  fc.assert(
    fc.property(hostileRun, (run) => {
      expect(errorsOf(run)).toEqual([]);
    }),
  );
});

test.for([
  { why: "a verdict that is none", change: (run: Run) => ({ ...run, counts: { ...run.counts, good: 1 } }) },
  { why: "another version", change: (run: Run) => ({ ...run, format: "mailproof-run/2" }) },
  { why: "no checks", change: ({ checks: _checks, ...run }: Run) => run },
  { why: "a negative duration", change: (run: Run) => ({ ...run, durationMs: -1 }) },
  {
    why: "a digest that is none",
    change: (run: Run) => ({ ...run, suite: { ...run.suite, checksSha256: "a" } }),
  },
])("the published schema and the reader refuse $why", ({ change }) => {
  const changed = change(violated);
  expect(errorsOf(changed)).not.toEqual([]);
  expect(runSchema.safeParse(changed).success).toBe(false);
});
