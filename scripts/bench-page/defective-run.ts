import caughtBy from "../../fixtures/faults/caught-by.json" with { type: "json" };
import type { Fault } from "../../fixtures/faults/fault.ts";
import { startService } from "../../fixtures/service/service.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { catalogue } from "../conformance/catalogue.ts";
import { recordRun } from "../conformance/record-run.ts";
import { writeReporters } from "../conformance/reporters.ts";
import { writeReports } from "../conformance/write-reports.ts";
import { embeddedProfile } from "../embedded-service.ts";
import { allFaults } from "../faults/fault-list.ts";
import { createJournalFile } from "../run-folder/journal-file.ts";
import { createRunFolder } from "../run-folder/create-run-folder.ts";
import { createUnlockingKeys } from "../unlocking-keys.ts";

// A defect that fails more than this would hide what the others fail.
const mostCatches = 6;

/** Defects that one service can have at once: each replaces rules that no other one replaces. */
export function independentFaults(count: number): Fault[] {
  const replaced = new Set<string>();
  const found: Fault[] = [];
  const catches: Readonly<Record<string, object>> = caughtBy;
  for (const fault of allFaults) {
    const rules = Object.keys(fault.rules ?? {});
    const isAlone = rules.length > 0 && fault.steps === undefined && fault.store === undefined;
    if (!isAlone || rules.some((rule) => replaced.has(rule))) continue;
    if (Object.keys(catches[fault.id] ?? {}).length > mostCatches) continue;
    for (const rule of rules) replaced.add(rule);
    found.push(fault);
  }
  // Spread over the areas, which the list has one after the other.
  const step = Math.max(1, found.length / count);
  return Array.from(
    { length: Math.min(count, found.length) },
    (_, at) => found[Math.floor(at * step)],
  ).filter((fault) => fault !== undefined);
}

/**
 * Judges the reference service with these defects with every check, as the command line does.
 *
 * @returns the folder of the run
 */
export async function judgeDefects(faults: readonly Fault[], out: string): Promise<string> {
  const keys = createUnlockingKeys();
  const rules = Object.assign({}, ...faults.map((fault) => fault.rules ?? {})) as Fault["rules"];
  const service = await startService({
    rules: rules ?? {},
    configuration: { ...keys.configuration, testClock: true, pow: { difficultyBits: 3 } },
  });
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const profile = embeddedProfile({
      addresses: { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl },
      humans: service.configuration.humans,
      clockUrl: `${authUrl}/test/clock`,
      keys,
    });
    const { judged: checks, leftOut } = leaveOut(
      catalogue.suites.flatMap((suite) => suite.checks),
      profile,
    );
    const startedAt = new Date();
    const { id, path } = createRunFolder(out, startedAt);
    const journal = createJournalFile(path);
    const mask = createSecretMask();
    learnProfile(mask, profile);
    const facts = { id, startedAt, isEmbedded: true, catalogue, checks, leftOut };
    const recorder = recordRun(facts, profile, mask, journal.append);
    const outcome = await runChecks(checks, profile, {
      tidyUp: true,
      onExchange: (exchange) => mask.learn(exchange),
      onResult: (result, soFar) => void recorder.record(result, soFar),
    });
    recorder.end(outcome, outcome);
    journal.close();
    const run = await writeReports(path, "needed", recorder.masked);
    writeReporters(run, path, [{ name: "html" }]);
    return path;
  } finally {
    await service.close();
    keys.remove();
  }
}
