import type { Equivalent } from "../fixtures/faults/equivalents.ts";
import type { Fault } from "../fixtures/faults/fault.ts";
import { oauthRules } from "../fixtures/service/oauth/rules.ts";
import { startService } from "../fixtures/service/service.ts";
import type { Check } from "../suites/support/check.ts";
import type { CheckResult } from "../suites/support/judge.ts";
import { runChecks } from "../suites/support/run.ts";
import { embeddedProfile } from "./embedded-service.ts";
import { suites } from "./suites.ts";

// Few bits, since dozens of runs search for proofs; checks that need more find too little to judge and say so.
const defaultDifficultyBits = 2;

/** The checks that fail against the reference service with this defect. */
export async function caughtBy(fault: Fault, checks: readonly Check[]): Promise<readonly CheckResult[]> {
  const difficultyBits = fault.difficultyBits ?? defaultDifficultyBits;
  const results = await resultsWith(
    { rules: fault.rules, configuration: { pow: { difficultyBits } } },
    checksInReach(fault, checks),
  );
  return results.filter(({ verdict }) => verdict === "fail");
}

/**
 * The checks that a defect can reach. Those of the proof-of-work path meet no rule of the OAuth side, and they cost the
 * most by far.
 */
function checksInReach({ rules }: Fault, checks: readonly Check[]): readonly Check[] {
  const isOAuthAlone = Object.keys(rules).every((name) => name in oauthRules);
  return isOAuthAlone ? checks.filter((check) => !proofOfWorkChecks.has(check.id)) : checks;
}

const proofOfWorkChecks = new Set(
  suites
    .filter(({ name }) => name === "pow" || name === "sessions")
    .flatMap((suite) => suite.checks.map(({ id }) => id)),
);

/** Judges the reference service with some of its rules replaced and some of its choices changed, in this process. */
export async function resultsWith(
  changes: Pick<Equivalent, "rules" | "configuration" | "salt">,
  checks: readonly Check[],
): Promise<readonly CheckResult[]> {
  const { configuration = {}, rules = {}, salt } = changes;
  const service = await startService({
    rules,
    configuration: {
      ...configuration,
      testClock: true,
      pow: { difficultyBits: defaultDifficultyBits, ...configuration.pow },
    },
  });
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const addresses = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
    const profile = embeddedProfile(addresses, service.configuration.humans, `${authUrl}/test/clock`, salt);
    return (await runChecks(checks, profile)).results;
  } finally {
    await service.close();
  }
}
