import { availableParallelism, arch, platform, release } from "node:os";
import { requirements } from "../../fixtures/spec/requirements.ts";
import type { JournalEntry, JournalStart, JudgedCheck } from "../../reports/journal-format.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import type { RunTargetFingerprint } from "../../reports/run-format.ts";
import type { LeftOut } from "../../suites/support/judging/left-out.ts";
import type { RunOutcome, RunProgress } from "../../suites/support/judging/run.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { unlockWords } from "../../suites/support/target/unlocks.ts";
import { isJsonObject, type JsonObject } from "../../suites/support/wire/exchange.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { Catalogue } from "./catalogue.ts";
import { judgedCheck, maskedCheck } from "./judged-check.ts";
import { suiteDigests } from "./suite-digests.ts";

export interface RunFacts {
  readonly id: string;
  readonly startedAt: Date;
  readonly isEmbedded: boolean;
  readonly catalogue: Catalogue;
  readonly isReadOnly?: boolean;
  readonly checks: readonly Check[];
  readonly leftOut: readonly LeftOut[];
  /** The arguments of the command. */
  readonly flags?: readonly string[];
  /** The profile as its file has it, secrets by reference; none for the reference service. */
  readonly profileContent?: unknown;
}

/** Makes the entries of a run's journal, with every secret that is known so far replaced by its fingerprint. */
export interface RunRecorder {
  /**
   * A check that is recorded again replaces what was recorded of it.
   *
   * @returns the check as it was written
   */
  record(result: CheckResult, progress: RunProgress, reproduced?: JudgedCheck["reproduced"]): JudgedCheck;
  /** Notes what the target is known by, where that is news. */
  recordFingerprint(fingerprint: RunTargetFingerprint | undefined): void;
  end(outcome: Pick<RunOutcome, "interrupted" | "notJudged" | "leftBehind">, progress: RunProgress): void;
  /** Replaces secrets that became known after the entry was written; the same entry when there are none. */
  masked(entry: JournalEntry): JournalEntry;
}

/**
 * @param mask - knows the profile's secrets, and learns those of each exchange of the run
 * @param append - receives entries that belong together
 */
export function recordRun(
  facts: RunFacts,
  profile: Profile,
  mask: SecretMask,
  append: (...entries: readonly JournalEntry[]) => void,
): RunRecorder {
  const written = new Set<number>();
  const startedMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedMs);
  let fingerprintText: string | undefined;
  append(startOf(facts, profile, mask));

  function masked(entry: JournalEntry): JournalEntry {
    if (entry.kind === "exchange") {
      const exchange = mask.exchange(entry.exchange);
      return exchange === entry.exchange ? entry : { ...entry, exchange };
    }
    if (entry.kind === "check") {
      const check = maskedCheck(entry.check, mask);
      return check === entry.check ? entry : { ...entry, check };
    }
    return entry;
  }

  return {
    masked,
    record(result, { spent, solver }, reproduced) {
      const evidence = result.exchanges
        .map(({ exchange }) => exchange)
        .filter(({ number }) => !written.has(number));
      for (const { number } of evidence) written.add(number);
      const check = judgedCheck(result, facts.catalogue, mask, reproduced);
      append(...evidence.map((exchange) => masked({ kind: "exchange", exchange })), {
        kind: "check",
        atMs: elapsedMs(),
        check,
        ledger: spent,
        proofOfWork: solver,
      });
      return check;
    },
    recordFingerprint(fingerprint) {
      const text = JSON.stringify(fingerprint);
      if (fingerprint === undefined || text === fingerprintText) return;
      fingerprintText = text;
      append({ kind: "fingerprint", fingerprint });
    },
    end({ interrupted, notJudged, leftBehind }, { spent, solver }) {
      const isComplete = !interrupted && notJudged === undefined;
      append({
        kind: "end",
        durationMs: elapsedMs(),
        isComplete,
        ledger: spent,
        ...(leftBehind && { leftBehind }),
        proofOfWork: solver,
      });
    },
  };
}

function startOf(
  { id, startedAt, isEmbedded, isReadOnly, catalogue, checks, leftOut, flags = [], profileContent }: RunFacts,
  profile: Profile,
  mask: SecretMask,
): JournalStart {
  return {
    kind: "start",
    format: "mailproof-journal/1",
    id,
    startedAt: startedAt.toISOString(),
    suite: {
      name: "mailproof",
      version: packageJson.version,
      node: process.version,
      ...suiteDigests(catalogue),
    },
    environment: {
      os: `${platform()} ${arch()} ${release()}`,
      cpus: availableParallelism(),
      flags: flags.map((flag) => mask.text(flag)),
    },
    target: {
      authUrl: profile.auth_url,
      apiUrl: profile.api_url,
      mcpUrl: profile.mcp_url,
      isEmbedded,
    },
    ...(isJsonObject(profileContent) && { profile: withoutSecrets(profileContent, mask) }),
    ...(isReadOnly && { isReadOnly }),
    requirements: [...requirements.values()].filter(({ source }) => source === "document").length,
    checks: checks.map((check) => check.id),
    leftOut: leftOut.map(({ unlock, checks: lacking }) => ({
      needs: unlockWords(unlock),
      checks: lacking.map((check) => check.id),
    })),
    known: Object.fromEntries(
      Object.entries(profile.known).map(([checkId, { verdict, reason, expires }]) => [
        checkId,
        { verdict, reason: mask.text(reason), expires },
      ]),
    ),
  };
}

/** A profile holds references in place of secrets; a secret that it contains nevertheless is masked. */
function withoutSecrets(content: JsonObject, mask: SecretMask): JsonObject {
  return JSON.parse(JSON.stringify(content), (_key, value: unknown) =>
    typeof value === "string" ? mask.text(value) : value,
  ) as JsonObject;
}
