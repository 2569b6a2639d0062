import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAcceptingTarget, startRefusingTarget } from "../../fixtures/test-servers/extreme-targets.ts";
import { nodeFaults } from "../../fixtures/faults/nodes/nodes.ts";
import { durabilityChecks } from "../../suites/durability/suite.ts";
import { restartChecks } from "../../suites/histories/restarts.checks.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { parseProfile, type Profile } from "../../suites/support/target/profile.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { judgeService } from "./judge-service.ts";
import unprovedChecks from "../../fixtures/faults/unproved-checks.json" with { type: "json" };
import { suites } from "../suites.ts";
import { createUnlockingKeys } from "../unlocking-keys.ts";
import { readCaughtBy } from "./caught-by.ts";

const checks = suites.flatMap((suite) => suite.checks);
const timeout = 300_000;

/** Checks whose evidence on the reference service ends with a refusal. */
let refusals: ReadonlySet<string>;

beforeAll(async () => {
  const results = await judgeService({}, checks);
  refusals = new Set(results.filter(endsWithRefusal).map(({ id }) => id));
}, timeout);

/** Checks that were seen failing or warning: by a fault, or here by an extreme target. */
const proved = new Set(Object.values(readCaughtBy()).flatMap(Object.keys));

function prove(results: readonly CheckResult[]): void {
  for (const { id, verdict } of results) if (verdict === "fail" || verdict === "warn") proved.add(id);
}

function endsWithRefusal({ verdict, exchanges }: CheckResult): boolean {
  const last = exchanges.at(-1);
  return verdict === "pass" && last !== undefined && last.exchange.response.status >= 400;
}

const closed: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closed.map((close) => close())));

function profileFor(url: string, clients: object = {}): Profile {
  process.env["MAILPROOF_TEST_PASSWORD"] = "not asked for";
  const human = (name: string) => ({
    name,
    consent: { driver: "form", username: name, password: "env:MAILPROOF_TEST_PASSWORD" },
  });
  const keys = createUnlockingKeys();
  closed.push(async () => keys.remove());
  const addresses = { auth_url: url, api_url: url, mcp_url: url };
  const unlocking = keys.profileFor(addresses);
  const content = {
    ...addresses,
    humans: [human("a"), human("b")],
    ...unlocking,
    clients: { ...unlocking.clients, ...clients },
  };
  return parseProfile(content, "of the test");
}

const givenClients = {
  public: {
    client_id: "public",
    redirect_uris: ["https://cb.example.test/oauth/cb", "https://cb.example.test/second?tenant=7"],
  },
  confidential: {
    client_id: "confidential",
    client_secret: "env:MAILPROOF_TEST_PASSWORD",
    redirect_uris: ["https://cb.example.test/oauth/cb"],
  },
};

test("most refusals of the suites are known as such", () => {
  expect(refusals.size).toBeGreaterThan(200);
});

describe("a target that refuses everything passes no refusal", () => {
  test.for([400, 401, 403, 404, 500])("with %d", { timeout }, async (status) => {
    const target = await startRefusingTarget(status);
    closed.push(() => target.close());
    const { results, notJudged } = await runChecks(checks, profileFor(target.url, givenClients));
    prove(results);
    // Its answers carry no CORS header, which is all that B-HTTP-03 asks.
    expect(
      results
        .filter(({ id, verdict }) => refusals.has(id) && verdict === "pass" && !id.startsWith("B-HTTP-03/"))
        .map(({ id }) => id),
    ).toEqual([]);
    expect(results.filter(({ defect }) => defect).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(notJudged === undefined).toBe(status !== 404);
  });
});

describe("a target that accepts everything", () => {
  let results: readonly CheckResult[];
  // It shows no page, no credential of its own and no 5xx, returns each state, keeps no upload, and its tokens have one audience and reach one
  // account whatever is asked for.
  const holdsOfIt =
    /^(ERR-11\/(?:nul-in|registered|undecodable|stray-percent|euro-sign|object-member|large)-|ERR-11\/(?:approval-sent-again|unknown-inbox-in-form)$|AUTHZ-10\/undecodable$|B-AUTHZ-19\/|B-HTTP-03\/|B-TOK-19\/|TOKEN-24\/|POW-64\/upload$|HDR-21\/identical-same-inbox$|RES-30\/no-default-inbox$|RES-32\/(?:(?:mcp|agent|other-forms)-refresh|jmap-(?:code|refresh)-(?:mcp|inbox)$))/u;

  beforeAll(async () => {
    const target = await startAcceptingTarget();
    closed.push(() => target.close());
    ({ results } = await runChecks(checks, profileFor(target.url)));
    prove(results);
  }, timeout);

  test("passes no refusal", () => {
    expect(
      results
        .filter(({ id, verdict }) => refusals.has(id) && verdict === "pass" && !holdsOfIt.test(id))
        .map(({ id }) => id),
    ).toEqual([]);
  });

  test("fails the refusals of PKCE and redirect_uri", () => {
    // Which of two values it takes is its choice, as is trimming a verifier (C-80); both are worth a warning.
    const mayWarn = /^(REDIR-23\/second-value|PKCE-15\/(leading-space|trailing-space|trailing-newline))$/u;
    const isSaidElsewhere = ({ verdict, explainedBy }: CheckResult): boolean =>
      verdict === "inconclusive" && explainedBy !== undefined;
    // It sets no cookie, so no browser has one of a session that has ended, and shows no page to create an inbox on.
    const cannotBeAsked = ["PKCE-13/ended-session", "PKCE-13/new-inbox"];
    const concerned = results.filter(
      (result) =>
        refusals.has(result.id) &&
        /^(PKCE|REDIR)-/u.test(result.id) &&
        !mayWarn.test(result.id) &&
        !cannotBeAsked.includes(result.id) &&
        !isSaidElsewhere(result),
    );
    expect(
      concerned
        .filter(({ verdict }) => verdict !== "fail")
        .map(({ id, verdict, reason }) => `${id}: ${verdict} ${reason}`),
    ).toEqual([]);
    expect(concerned.length).toBeGreaterThan(100);
  });

  test("breaks no check", () => {
    expect(results.filter(({ defect }) => defect).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  });
});

// Each of them is seen failing in durability.hostile.test.ts, restart-lives.hostile.test.ts, node-death.faults.test.ts or
// node-faults.faults.test.ts.
const provedElsewhere = new Set([
  ...[...durabilityChecks, ...restartChecks].map(({ id }) => id),
  ...nodeFaults.flatMap(({ caughtBy }) => caughtBy),
]);

// The list may only get shorter: a new check needs a fault (`fixtures/faults`), and a check that is proved leaves the list.
test("the checks that were never seen failing are those of unproved-checks.json", () => {
  const unproved = checks
    .filter(({ id, kind }) => kind !== "observe" && !proved.has(id) && !provedElsewhere.has(id))
    .map(({ id }) => id);
  expect(unproved.toSorted()).toEqual(unprovedChecks.flatMap((group) => group.checks).toSorted());
});
