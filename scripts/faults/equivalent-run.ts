import { expect } from "vitest";
import type { Equivalent } from "../../fixtures/faults/equivalents.ts";
import { startGateway } from "../../fixtures/faults/equivalents/gateway.ts";
import { mergeConfiguration } from "../../fixtures/service/configuration-override.ts";
import type { Rules } from "../../fixtures/service/rules.ts";
import { startService } from "../../fixtures/service/service.ts";
import { type Check, requirementOf } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { embeddedProfile } from "../embedded-service.ts";
import { shuffled } from "../shuffled.ts";
import { suites } from "../suites.ts";
import { createUnlockingKeys } from "../unlocking-keys.ts";
import { sharedSolver } from "./shared-solver.ts";

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
  const keys = createUnlockingKeys();
  const base = {
    ...keys.configuration,
    testClock: true,
    publicUrls: gateway.urls,
    pow: { difficultyBits: defaultDifficultyBits },
  };
  const service = await startService({
    rules: choices.reduce<Partial<Rules>>((merged, { rules }) => ({ ...merged, ...rules }), {}),
    steps: choices.flatMap(({ steps = [] }) => steps),
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
    const { humans } = service.configuration;
    const profile = choices.reduce(
      (described, { settings }) => ({ ...described, ...settings }),
      embeddedProfile({ addresses, humans, clockUrl: `${authUrl}/test/clock`, salt, keys }),
    );
    return (await runChecks(checks, profile, { solver: sharedSolver })).results;
  } finally {
    await gateway.close();
    await service.close();
    keys.remove();
  }
}

/** A test title's name for choices that are made at once. */
export function groupNames(choices: readonly Equivalent[]): {
  readonly choices: readonly Equivalent[];
  readonly names: string;
} {
  return { choices, names: choices.map(({ id }) => id).join(", ") };
}

/** No check that the choices can reach fails, and none breaks. */
export async function expectNoFailure(choices: readonly Equivalent[]): Promise<void> {
  const checks = checksInReachOf(choices, suites);
  const results = await resultsOfChoices(choices, checks);
  const failed = results.filter(({ verdict, defect }) => verdict === "fail" || defect);
  expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  expect(results).toHaveLength(checks.length);
}

const ofProofs = ["pow", "sessions", "token-confusion", "revocation"];
const historiesOfAgents = "LIFE-04";

/** The checks that choices can reach: those of the proof-of-work path cost the most by far. */
function checksInReachOf(
  choices: readonly Equivalent[],
  all: readonly { readonly name: string; readonly checks: readonly Check[] }[],
): readonly Check[] {
  const isMet = (suite: string, { id }: Check): boolean =>
    choices.some(({ concerns }) => {
      if (concerns === "people") return suite !== "pow" && suite !== "sessions";
      return concerns === undefined || ofProofs.includes(suite) || requirementOf(id) === historiesOfAgents;
    });
  return all.flatMap(({ name, checks }) => checks.filter((check) => isMet(name, check)));
}

/** Choices that can be made at once, in an order that the seed decides: each of them in one group. */
export function groupsOf(
  choices: readonly Equivalent[],
  size: number,
  seed: number,
): readonly (readonly Equivalent[])[] {
  const groups: Equivalent[][] = [];
  for (const choice of shuffled(choices, seed)) {
    const open = groups.find(
      (group) => group.length < size && group.every((other) => canCombine(choice, other)),
    );
    if (open === undefined) groups.push([choice]);
    else open.push(choice);
  }
  return groups;
}

function canCombine(one: Equivalent, other: Equivalent): boolean {
  const decided = ({
    rules = {},
    steps = [],
    configuration = {},
    decides,
    basePath,
  }: Equivalent): unknown[] => [
    ...Object.keys(rules),
    ...steps.map(({ target }) => target),
    ...Object.keys(configuration),
    ...(decides === undefined ? [] : [decides]),
    ...(basePath === undefined ? [] : ["base path"]),
  ];
  const taken = decided(other);
  return !decided(one).some((it) => taken.includes(it));
}
