import type { Fault } from "../fixtures/faults/fault.ts";
import { startService } from "../fixtures/service/service.ts";
import type { Check } from "../suites/support/check.ts";
import type { CheckResult } from "../suites/support/judge.ts";
import { runChecks } from "../suites/support/run.ts";
import { embeddedProfile } from "./embedded-service.ts";

// Enough for the checks that look for near misses to find some, and few enough for dozens of runs.
const defaultDifficultyBits = 2;

/** The checks that fail against the reference service with this defect. */
export async function caughtBy(fault: Fault, checks: readonly Check[]): Promise<readonly CheckResult[]> {
  const results = await resultsWith(fault, checks);
  return results.filter(({ verdict }) => verdict === "fail");
}

/** Judges the reference service with some of its rules replaced, in this process. */
export async function resultsWith(fault: Pick<Fault, "rules" | "difficultyBits">, checks: readonly Check[]): Promise<readonly CheckResult[]> {
  const service = await startService({
    rules: fault.rules,
    configuration: { testClock: true, pow: { difficultyBits: fault.difficultyBits ?? defaultDifficultyBits } },
  });
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const profile = embeddedProfile(
      { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl },
      service.configuration.humans,
      `${authUrl}/test/clock`,
    );
    const { results } = await runChecks(checks, profile);
    return results;
  } finally {
    await service.close();
  }
}
