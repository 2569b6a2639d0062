import { requirements } from "../../fixtures/spec/requirements.ts";
import type { JournalEntry, JournalStart, JudgedCheck } from "../../reports/journal-format.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { RunOutcome, RunProgress } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { Exchange } from "../../suites/support/wire/exchange.ts";
import { createSecretMask, type SecretMask } from "../../suites/support/wire/secrets.ts";
import packageJson from "../../package.json" with { type: "json" };
import { judgedCheck, maskedCheck } from "./judged-check.ts";

export interface RunFacts {
  readonly id: string;
  readonly startedAt: Date;
  readonly isEmbedded: boolean;
  readonly checks: readonly Check[];
}

/** Makes the entries of a run's journal, with every secret that is known so far replaced by its fingerprint. */
export interface RunRecorder {
  /** @returns the check as it was written */
  record(result: CheckResult, progress: RunProgress): JudgedCheck;
  end(outcome: Pick<RunOutcome, "interrupted" | "notJudged">, progress: RunProgress): void;
  /** Replaces secrets that became known after the entry was written. */
  masked(entry: JournalEntry): JournalEntry;
}

/** @param append - receives entries that belong together */
export function recordRun(
  facts: RunFacts,
  profile: Profile,
  append: (...entries: readonly JournalEntry[]) => void,
): RunRecorder {
  const mask = createSecretMask();
  learnProfile(mask, profile);
  const learn = exchangeLearner(mask);
  const written = new Set<number>();
  const startedMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedMs);
  append(startOf(facts, profile, mask));

  function masked(entry: JournalEntry): JournalEntry {
    if (entry.kind === "exchange") return { ...entry, exchange: mask.exchange(entry.exchange) };
    if (entry.kind === "check") return { ...entry, check: maskedCheck(entry.check, mask) };
    return entry;
  }

  return {
    masked,
    record(result, { exchanges, spent, solver }) {
      learn(exchanges);
      const evidence = result.exchanges
        .map(({ exchange }) => exchange)
        .filter(({ number }) => !written.has(number));
      for (const exchange of evidence) {
        mask.learn(exchange);
        written.add(exchange.number);
      }
      const check = judgedCheck(result, mask);
      append(...evidence.map((exchange) => masked({ kind: "exchange", exchange })), {
        kind: "check",
        atMs: elapsedMs(),
        check,
        ledger: spent,
        proofOfWork: solver,
      });
      return check;
    },
    end({ interrupted, notJudged }, { exchanges, spent, solver }) {
      learn(exchanges);
      const isComplete = !interrupted && notJudged === undefined;
      append({ kind: "end", durationMs: elapsedMs(), isComplete, ledger: spent, proofOfWork: solver });
    },
  };
}

/** Learns each exchange of a run once: when it was sent, and again when its answer is there. */
function exchangeLearner(mask: SecretMask): (exchanges: readonly Exchange[]) => void {
  const unanswered = new Set<number>();
  let seen = 0;
  return (exchanges) => {
    for (; seen < exchanges.length; seen += 1) unanswered.add(seen);
    for (const number of unanswered) {
      const exchange = exchanges[number];
      if (exchange === undefined) continue;
      mask.learn(exchange);
      if (exchange.response.status > 0) unanswered.delete(number);
    }
  };
}

function startOf(
  { id, startedAt, isEmbedded, checks }: RunFacts,
  profile: Profile,
  mask: SecretMask,
): JournalStart {
  return {
    kind: "start",
    format: "mailproof-journal/1",
    id,
    startedAt: startedAt.toISOString(),
    suite: { name: "mailproof", version: packageJson.version, node: process.version },
    target: {
      authUrl: profile.auth_url,
      apiUrl: profile.api_url,
      mcpUrl: profile.mcp_url,
      isEmbedded,
    },
    requirements: [...requirements.values()].filter(({ source }) => source === "document").length,
    checks: checks.map((check) => check.id),
    known: Object.fromEntries(
      Object.entries(profile.known).map(([checkId, { verdict, reason, expires }]) => [
        checkId,
        { verdict, reason: mask.text(reason), expires },
      ]),
    ),
  };
}

function learnProfile(mask: SecretMask, { humans, clients, pow }: Profile): void {
  for (const human of humans) mask.add("password", human.consent.password);
  if (clients.confidential !== undefined) mask.add("client_secret", clients.confidential.client_secret);
  if (pow.api_key !== undefined) mask.add("apiKey", pow.api_key);
}
