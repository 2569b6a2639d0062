import type { Equivalent } from "../../fixtures/faults/equivalents.ts";
import type { Fault } from "../../fixtures/faults/fault.ts";
import { startService } from "../../fixtures/service/service.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { embeddedProfile } from "../embedded-service.ts";
import { createUnlockingKeys } from "../unlocking-keys.ts";
import type { Catch } from "./caught-by.ts";
import { checksInReach } from "./fault-reach.ts";

// Few bits, since dozens of runs search for proofs; checks that need more find too little to judge and say so.
const defaultDifficultyBits = 2;

/** A check that noticed a fault. */
export interface CaughtResult extends CheckResult {
  readonly verdict: Catch;
}

/** The checks that fail or warn against the reference service with this defect. Without one they all pass or observe. */
export function catchersOf(fault: Fault, checks: readonly Check[]): Promise<readonly CaughtResult[]> {
  return catchersAmong(fault, checksInReach(fault, checks));
}

/** As {@link catchersOf}, but runs just these checks, also those that the defect cannot reach. */
export async function catchersAmong(
  fault: Fault,
  checks: readonly Check[],
): Promise<readonly CaughtResult[]> {
  const difficultyBits = fault.difficultyBits ?? defaultDifficultyBits;
  const results = await resultsWith({ ...fault, configuration: { pow: { difficultyBits } } }, checks);
  return results.filter(noticed);
}

function noticed(result: CheckResult): result is CaughtResult {
  return result.verdict === "fail" || result.verdict === "warn";
}
/** Judges the reference service with some of its rules replaced and some of its choices changed, in this process. */
export async function resultsWith(
  changes: Pick<Equivalent, "rules" | "steps" | "configuration" | "salt"> & Pick<Fault, "store">,
  checks: readonly Check[],
): Promise<readonly CheckResult[]> {
  const { configuration = {}, rules = {}, steps = [], store, salt } = changes;
  const keys = createUnlockingKeys();
  const service = await startService({
    rules,
    steps,
    ...(store === undefined ? {} : { store: store() }),
    configuration: {
      ...keys.configuration,
      ...configuration,
      testClock: true,
      pow: { difficultyBits: defaultDifficultyBits, ...configuration.pow },
    },
  });
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const addresses = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
    const { humans } = service.configuration;
    const profile = embeddedProfile({ addresses, humans, clockUrl: `${authUrl}/test/clock`, salt, keys });
    return (await runChecks(checks, profile)).results;
  } finally {
    await service.close();
    keys.remove();
  }
}
