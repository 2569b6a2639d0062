import { expect, test } from "vitest";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { check } from "../../suites/support/judging/check.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import type { JournalEntry } from "../../reports/journal-format.ts";
import { catalogue } from "./catalogue.ts";
import { composeRun } from "./compose-run.ts";
import { recordRun } from "./record-run.ts";
import { runJournal } from "./run-journal.ts";

const urls = {
  auth_url: "https://auth.example",
  api_url: "https://api.example",
  mcp_url: "https://mcp.example",
};
const token = "opaque-refresh-token-1";

const result: CheckResult = {
  id: "META-02",
  check: check({ id: "META-02", claim: "`issuer` equals `auth_url`", act: async () => 0, assert: () => {} }),
  verdict: "fail",
  reason: `expected a; observed ${token}`,
  expected: "a",
  observed: token,
  durationMs: 1,
  exchanges: [
    {
      role: "subject",
      exchange: {
        number: 3,
        startedAt: "2026-01-01T00:00:00.000Z",
        durationMs: 1,
        request: {
          method: "POST",
          url: "https://auth.example/oauth/token",
          headers: [],
          body: `refresh_token=${token}`,
        },
        response: { status: 200, headers: [], body: "{}" },
      },
    },
  ],
};

function compose(known: Readonly<Record<string, unknown>>, results: readonly CheckResult[] = [result]) {
  const entries: JournalEntry[] = [];
  const profile = parseProfile({ ...urls, known }, "of the test");
  const facts = {
    id: "r",
    startedAt: new Date("2026-06-01T00:00:00Z"),
    isEmbedded: false,
    catalogue,
    checks: results.map((one) => ({ ...one.check, id: one.id })),
    leftOut: [],
  };
  const mask = createSecretMask();
  for (const { exchange } of results.flatMap(({ exchanges }) => exchanges)) mask.learn(exchange);
  const recorder = recordRun(facts, profile, mask, (...more) => void entries.push(...more));
  const progress = {
    exchanges: [],
    spent: { registrations: 0, grants: 0, sign_ups: 0 },
    solver: { tries: 0, busyMs: 0, cpuMs: 0 },
  };
  for (const one of results) recorder.record(one, progress);
  recorder.end({ interrupted: false }, progress);
  return composeRun(runJournal(entries));
}

test("no secret reaches the run, neither in evidence nor in reasons", () => {
  expect(JSON.stringify(compose({}))).not.toContain(token);
});

test("checks refer to their exchanges by number", () => {
  expect(compose({})).toMatchObject({
    checks: [{ exchanges: [{ number: 3, role: "subject" }] }],
    exchanges: [{ number: 3 }],
  });
});

const entry = { verdict: "fail", reason: "being fixed", expires: "2026-07-01" };

test.for([
  { why: "holds", known: { "META-02": entry }, problems: [] },
  {
    why: "no longer holds",
    known: { "META-02": { ...entry, verdict: "pass" } },
    problems: ["META-02: known to be pass, but it is fail"],
  },
  {
    why: "has expired",
    known: { "META-02": { ...entry, expires: "2026-06-01" } },
    problems: ["META-02: the entry expired on 2026-06-01"],
  },
  { why: "is of a check that was not run", known: { "META-03": entry }, problems: [] },
])("a known result that $why", ({ known, problems }) => {
  const run = compose(known);
  expect(run.knownProblems).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});

test("a result that is known carries its reason", () => {
  expect(compose({ "META-02": entry }).checks[0]).toMatchObject({ verdict: "fail", known: "being fixed" });
});

test("a check cites the interpretations that its verdict rests on, and the run explains them", () => {
  const run = compose({}, [
    { ...result, id: "AUTHZ-04" },
    { ...result, id: "META-08" },
  ]);
  const [cites, citesNone] = run.checks;
  expect(cites?.interpretations).toEqual(expect.arrayContaining(["C-01", "C-02"]));
  expect(citesNone?.interpretations).toBeUndefined();
  expect(run.interpretations.map(({ id }) => id)).toEqual(cites?.interpretations);
  expect(run.interpretations[0]?.reading).toMatch(/^A 400 with the OAuth error body passes/u);
});

test("coverage counts the document's requirements that were decided", () => {
  expect(compose({}).coverage).toEqual({ requirements: 463, decided: 1 });
  expect(compose({}, [{ ...result, verdict: "inconclusive" }]).coverage.decided).toBe(0);
});
