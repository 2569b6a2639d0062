import { expect, test } from "vitest";
import { mergeConfiguration } from "../fixtures/service/configuration-override.ts";
import { type NodeGroup, startNodes } from "../fixtures/service/nodes/node-group.ts";
import { postgresPrograms } from "../fixtures/service/store/postgres/test-server.ts";
import { postgresDatabase } from "../fixtures/service/store/store-under-test.ts";
import { restartChecks } from "../suites/histories/restarts.checks.ts";
import { runChecks, type RunOutcome } from "../suites/support/judging/run.ts";
import type { Profile } from "../suites/support/target/profile.ts";
import { embeddedProfile, startEmbeddedService } from "./embedded-service.ts";
import { suites } from "./suites.ts";

const names = ["code", "refresh", "sessions", "jmap", "nodes"];
const checks = suites.filter(({ name }) => names.includes(name)).flatMap((suite) => suite.checks);

/** Two nodes that share a database of their own. */
async function judgeNodes(onResult: (group: NodeGroup, count: number) => void): Promise<RunOutcome> {
  const group = await startNodes(2, {
    configuration: mergeConfiguration({ pow: { difficultyBits: 2 }, testClock: true }),
    storage: { dataDirectory: null, databaseUrl: await postgresDatabase() },
  });
  let count = 0;
  try {
    return await runChecks(checks, profileOf(group), {
      onResult() {
        count += 1;
        onResult(group, count);
      },
    });
  } finally {
    await group.close();
  }
}

function profileOf({ addresses, configuration }: NodeGroup): Profile {
  const { authUrl: auth_url, apiUrl: api_url, mcpUrl: mcp_url } = addresses;
  const profile = embeddedProfile({
    addresses: { auth_url, api_url, mcp_url },
    humans: configuration.humans,
    clockUrl: `${auth_url}/test/clock`,
  });
  return { ...profile, nodes: { count: 2, addresses: { auth: [], api: [] } } };
}

const verdicts = ({ results }: RunOutcome): string[] => results.map(({ id, verdict }) => `${id} ${verdict}`);

const missing = postgresPrograms() === null ? "PostgreSQL is not installed" : undefined;

// Two runs, the waits for revocations of their checks included.
const timeout = 600_000;

test(
  "a node that dies under a run changes no verdict, and nothing is lost",
  { timeout },
  async ({ skip }) => {
    if (missing !== undefined) skip(`not shown, since ${missing}: the death of a node`);
    const undisturbed = await judgeNodes(() => {});
    expect(undisturbed.disturbances).toEqual({ lost: 0, restarts: [] });
    const killed: number[] = [];
    const disturbed = await judgeNodes(({ nodes }, count) => {
      // The first dies early; the one that was its neighbour in the middle, when another has taken the place of the first.
      const isTime = count >= (killed.length + 1) * Math.floor(checks.length / 4);
      const victim = nodes[0];
      if (killed.length >= 2 || !isTime || nodes.length < 2 || victim === undefined) return;
      killed.push(victim.pid);
      process.kill(victim.pid, "SIGKILL");
    });
    expect(new Set(killed).size).toBe(2);
    expect(disturbed.disturbances.restarts).toEqual([]);
    expect(verdicts(disturbed)).toEqual(verdicts(undisturbed));
  },
);

test(
  "lives of grants go through the death of a node that --nodes has started",
  { timeout },
  async ({ skip }) => {
    if (missing !== undefined) skip(`not shown, since ${missing}: lives through the death of a node`);
    const embedded = await startEmbeddedService({
      serviceOptions: ["--database", await postgresDatabase(), "--nodes", "2"],
      nodes: 2,
    });
    try {
      const { results } = await runChecks(
        restartChecks.filter(({ id }) => id === "LIFE-06/node-killed"),
        embedded.profile,
      );
      expect(results).toMatchObject([{ id: "LIFE-06/node-killed", verdict: "pass" }]);
    } finally {
      await embedded.stop();
    }
  },
);
