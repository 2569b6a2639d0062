import { interpretations, interpretationsOf } from "../../fixtures/spec/interpretations.ts";
import { requirements } from "../../fixtures/spec/requirements.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import { requirementOf, sentenceOf } from "../../suites/support/judging/check.ts";
import type { Exchange } from "../../suites/support/wire/exchange.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { createSecretMask, type SecretMask } from "../../suites/support/wire/secrets.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Suite } from "../suites.ts";

export interface RunFacts {
  readonly id: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly isEmbedded: boolean;
  readonly isComplete: boolean;
  readonly results: readonly CheckResult[];
  readonly spent: Readonly<Record<string, number>>;
  readonly solver: { readonly tries: number; readonly busyMs: number };
}

/** Writes what was judged in the run format, with every secret replaced by its fingerprint. */
export function composeRun(facts: RunFacts, profile: Profile, suites: readonly Suite[], today: Date): Run {
  const exchanges = distinctExchanges(facts.results);
  const mask = createSecretMask();
  learnProfile(mask, profile);
  for (const exchange of exchanges) mask.learn(exchange);
  const suiteOf = new Map(
    suites.flatMap(({ name, checks }) => checks.map((check) => [check.id, name] as const)),
  );
  const failed = facts.results.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  const checks = facts.results.map((result) =>
    composeCheck(result, { suite: suiteOf.get(result.id) ?? "", failed }, profile, mask),
  );
  const count = (verdict: string): number => checks.filter((check) => check.verdict === verdict).length;
  const documented = [...requirements.values()].filter(({ source }) => source === "document");
  const judged = new Set(
    checks
      .filter(({ verdict }) => verdict !== "inconclusive" && verdict !== "blocked")
      .map(({ requirement }) => requirement.id),
  );
  return {
    format: "mailproof-run/2",
    id: facts.id,
    startedAt: facts.startedAt.toISOString(),
    durationMs: Math.round(facts.durationMs),
    suite: { name: "mailproof", version: packageJson.version, node: process.version },
    target: {
      authUrl: profile.auth_url,
      apiUrl: profile.api_url,
      mcpUrl: profile.mcp_url,
      isEmbedded: facts.isEmbedded,
    },
    isComplete: facts.isComplete,
    counts: {
      pass: count("pass"),
      fail: count("fail"),
      warn: count("warn"),
      observed: count("observed"),
      inconclusive: count("inconclusive"),
      blocked: count("blocked"),
    },
    coverage: {
      requirements: documented.length,
      decided: documented.filter(({ id }) => judged.has(id)).length,
    },
    proofOfWork: facts.solver,
    ledger: facts.spent,
    checks,
    interpretations: interpretations
      .filter(({ id }) => checks.some((check) => check.interpretations?.includes(id)))
      .map(({ id, question, reading }) => ({ id, question, reading })),
    knownProblems: knownProblems(checks, profile, today),
    exchanges: exchanges.map((exchange) => mask.exchange(exchange)),
  };
}

function learnProfile(mask: SecretMask, { humans, clients, pow }: Profile): void {
  for (const human of humans) mask.add("password", human.consent.password);
  if (clients.confidential !== undefined) mask.add("client_secret", clients.confidential.client_secret);
  if (pow.api_key !== undefined) mask.add("apiKey", pow.api_key);
}

function composeCheck(
  result: CheckResult,
  { suite, failed }: { suite: string; failed: readonly string[] },
  profile: Profile,
  mask: SecretMask,
): RunCheck {
  const requirement = requirements.get(requirementOf(result.id));
  if (requirement === undefined)
    throw new TypeError(`check ${result.id} names no requirement of fixtures/spec/requirements.json`);
  const known = profile.known[result.id];
  const cited = interpretationsOf(requirement.id).map(({ id }) => id);
  const { explainedBy } = result;
  const explanations = failed.filter((id) => id === explainedBy || requirementOf(id) === explainedBy);
  return {
    id: result.id,
    requirement,
    ...(cited.length > 0 && { interpretations: cited }),
    suite,
    kind: result.check.kind,
    sentence: sentenceOf(result.check),
    verdict: result.verdict,
    ...(result.reason !== undefined && { reason: mask.text(result.reason) }),
    ...(result.expected !== undefined && { expected: mask.text(result.expected) }),
    ...(result.observed !== undefined && { observed: mask.text(result.observed) }),
    ...(explanations.length > 0 && { explainedBy: explanations }),
    ...(known?.verdict === result.verdict && { known: known.reason }),
    ...(result.defect && { defect: true }),
    durationMs: Math.round(result.durationMs),
    ...(result.decisive !== undefined && { decisive: result.decisive }),
    exchanges: result.exchanges.map(({ exchange: { number }, role }) => ({ number, role })),
  };
}

function distinctExchanges(results: readonly CheckResult[]): Exchange[] {
  const byNumber = new Map(
    results.flatMap(({ exchanges }) => exchanges).map(({ exchange }) => [exchange.number, exchange]),
  );
  return [...byNumber.values()].toSorted((a, b) => a.number - b.number);
}

/** Known results that no longer hold or have expired. A check that this run did not select says nothing about its entry. */
function knownProblems(checks: readonly RunCheck[], profile: Profile, today: Date): string[] {
  return Object.entries(profile.known).flatMap(([id, { verdict, expires }]) => {
    const found = checks.find((check) => check.id === id);
    if (found === undefined) return [];
    if (found.verdict !== verdict)
      return [`${id}: known to be ${verdict}, but it is ${found.verdict}; correct or remove the entry`];
    if (expires <= today.toISOString().slice(0, 10))
      return [`${id}: the entry expired on ${expires}; fix the target, or renew the entry with a reason`];
    return [];
  });
}
