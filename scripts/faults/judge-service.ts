import type { Equivalent } from "../../fixtures/faults/equivalents.ts";
import { startService } from "../../fixtures/service/service.ts";
import type { Store } from "../../fixtures/service/store/store.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { type RunOptions, runChecks } from "../../suites/support/judging/run.ts";
import { embeddedProfile, revocationPropagationSeconds } from "../embedded-service.ts";
import { createUnlockingKeys } from "../unlocking-keys.ts";

/** Few bits, since dozens of runs search for proofs; checks that need more find too little to judge and say so. */
export const defaultDifficultyBits = 2;

interface ServiceChanges extends Pick<Equivalent, "rules" | "steps" | "configuration" | "salt"> {
  /** In memory and sound by default. */
  readonly store?: Store;
  readonly onStarted?: () => void;
  /** The service itself, where it is not the one of this project as it stands. */
  readonly start?: typeof startService;
}

/** Judges the reference service with some of its rules replaced and some of its choices changed, in this process. */
export async function judgeService(
  {
    configuration = {},
    rules = {},
    steps = [],
    store,
    salt,
    onStarted,
    start = startService,
  }: ServiceChanges,
  checks: readonly Check[],
  options: RunOptions = {},
): Promise<readonly CheckResult[]> {
  const keys = createUnlockingKeys();
  const service = await start({
    rules,
    steps,
    ...(store && { store }),
    configuration: {
      ...keys.configuration,
      ...configuration,
      testClock: true,
      pow: { difficultyBits: defaultDifficultyBits, ...configuration.pow },
    },
  });
  onStarted?.();
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const addresses = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
    const { humans } = service.configuration;
    const profile = {
      ...embeddedProfile({ addresses, humans, clockUrl: `${authUrl}/test/clock`, salt, keys }),
      revocation_propagation_seconds: revocationPropagationSeconds,
    };
    return (await runChecks(checks, profile, options)).results;
  } finally {
    await service.close();
    keys.remove();
  }
}
