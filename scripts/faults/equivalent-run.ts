import type { Equivalent } from "../../fixtures/faults/equivalents.ts";
import { startGateway } from "../../fixtures/faults/equivalents/gateway.ts";
import { mergeConfiguration } from "../../fixtures/service/configuration-override.ts";
import type { Rules } from "../../fixtures/service/rules.ts";
import { startService } from "../../fixtures/service/service.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { embeddedProfile } from "../embedded-service.ts";

// As in fault runs: dozens of runs search for proofs.
const defaultDifficultyBits = 2;

/** Judges a reference service that makes all of these choices at once, behind a gateway that makes those of its layers. */
export async function resultsOfChoices(
  choices: readonly Equivalent[],
  checks: readonly Check[],
): Promise<readonly CheckResult[]> {
  const layers = choices.flatMap(({ middleware }) => (middleware ? [middleware()] : []));
  const gateway = await startGateway(
    layers,
    choices.find(({ basePath }) => basePath !== undefined)?.basePath,
  );
  const base = { testClock: true, publicUrls: gateway.urls, pow: { difficultyBits: defaultDifficultyBits } };
  const service = await startService({
    rules: choices.reduce<Partial<Rules>>((merged, { rules }) => ({ ...merged, ...rules }), {}),
    configuration: choices.reduce(
      (merged, { configuration = {} }) => mergeConfiguration(configuration, merged),
      mergeConfiguration(base),
    ),
  });
  gateway.openTo(service.ports);
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const addresses = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
    const salt = choices.find((choice) => choice.salt !== undefined)?.salt;
    const profile = embeddedProfile(addresses, service.configuration.humans, `${authUrl}/test/clock`, salt);
    return (await runChecks(checks, profile)).results;
  } finally {
    await gateway.close();
    await service.close();
  }
}
