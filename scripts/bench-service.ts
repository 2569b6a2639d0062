import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startChild, type Child } from "./bench-service/child.ts";
import { closedLoop } from "./bench-service/closed-loop.ts";
import { fsyncMs } from "./bench-service/fsync-time.ts";
import { cheapForgeries, signupBody } from "./bench-service/forgeries.ts";
import { median } from "./median.ts";
import { processorTime } from "./bench-service/processor-time.ts";
import { openRefreshLoop, type RefreshLoop } from "./bench-service/refresh-rate.ts";
import { saturate } from "./bench-service/saturation.ts";

const difficultyBits = 8;
const connections = 16;
/** CPU usage of other programs in the median round. */
const maxForeignCores = 0.2;

const cores = availableParallelism();
const serviceReady = z.object({
  addresses: z.object({ auth_url: z.string(), api_url: z.string(), mcp_url: z.string() }),
});
const bareReady = z.object({ url: z.string() });
const scryptReady = z.object({ scryptMs: z.number() });

/** One row of the table, in one round. */
interface Metric {
  name: string;
  unit: "/s" | "ms" | "S" | "x";
  value: number;
  /** The target value of the service. */
  goal?: string;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
await bench(z.coerce.number().int().min(1).max(1000).parse(values.rounds));

/** Alternates between the service and a bare server, so that noise affects both, and reports medians. */
async function bench(roundCount: number): Promise<void> {
  const bare = await startChild("bare-server.ts");
  const flags = ["--json", "--exit-with-parent", "--difficulty", String(difficultyBits)];
  const service = await startChild("../../fixtures/service/main.ts", flags);
  const directory = await mkdtemp(join(tmpdir(), "mailproof-bench-"));
  const durable = await startChild("../../fixtures/service/main.ts", [...flags, "--data", directory]);
  const inMemory = await openRefreshLoop(addressesOf(service), connections);
  const inSqlite = await openRefreshLoop(addressesOf(durable), connections);
  const measureAll = async (scale: number): Promise<Metric[]> => [
    ...(await measure(bare, service, scale)),
    ...(await measureStores({ service, inMemory, durable, inSqlite, directory }, scale)),
  ];
  const pids = [process.pid, bare.pid, service.pid, durable.pid];
  const rounds: Metric[][] = [];
  const foreignCores: number[] = [];
  try {
    // Warm-up for the JIT compiler.
    await measureAll(0.3);
    for (let round = 1; round <= roundCount; round++) {
      const before = processorTime(pids);
      const startedMs = performance.now();
      rounds.push(await measureAll(1));
      const after = processorTime(pids);
      if (before !== null && after !== null) {
        const foreignMs = after.machineMs - before.machineMs - (after.ownMs - before.ownMs);
        foreignCores.push(Math.max(0, foreignMs / (performance.now() - startedMs)));
      }
      process.stderr.write(`round ${round} of ${roundCount}\r`);
    }
  } finally {
    await Promise.all([inMemory.close(), inSqlite.close()]);
    await Promise.all([bare.stop(), service.stop(), durable.stop()]);
    await rm(directory, { recursive: true, force: true });
  }
  report(rounds, foreignCores);
}

/** @param scale - factor for all durations */
async function measure(bare: Child, service: Child, scale: number): Promise<Metric[]> {
  const { auth_url: authUrl } = addressesOf(service);
  const { url } = bareReady.parse(bare.ready);
  const s = await scryptMs();
  const load = { connections, durationSeconds: scale, status: 200 };
  const bareRate = await closedLoop({ ...load, url });
  const challenges = await closedLoop({ ...load, url: `${authUrl}/api/v1/challenge` });
  const refusals = await refusalRates(authUrl, scale);
  const plan = { authUrl, difficultyBits, connections, durationSeconds: 5 * scale, probesPerSecond: 100 };
  const saturated = await saturate(plan);
  const { verifiedPerSecond } = saturated;
  const efficiency = (verifiedPerSecond * s) / (1000 * cores);
  return [
    { name: "S, one scrypt evaluation", unit: "ms", value: s },
    { name: "bare node:http, one Ed25519 signature each", unit: "/s", value: bareRate },
    { name: "challenges", unit: "/s", value: challenges },
    { name: "challenges : bare", unit: "x", value: challenges / bareRate, goal: ">= 0.5" },
    { name: "verifications", unit: "/s", value: verifiedPerSecond },
    { name: `efficiency on ${cores} cores`, unit: "x", value: efficiency, goal: ">= 0.8" },
    { name: "verification latency, median", unit: "S", value: saturated.verifyMs / s },
    {
      name: "challenge latency while saturated, p99",
      unit: "S",
      value: saturated.challengeP99Ms / s,
      goal: "<= 2",
    },
    {
      name: "metadata latency while saturated, p99",
      unit: "S",
      value: saturated.metadataP99Ms / s,
      goal: "<= 2",
    },
    ...refusals.flatMap(({ name, perSecond }): Metric[] => [
      { name: `refusals, ${name}`, unit: "/s", value: perSecond },
      {
        name: `refusals, ${name} : verifications`,
        unit: "x",
        value: perSecond / verifiedPerSecond,
        goal: ">= 100",
      },
    ]),
  ];
}

function addressesOf(service: Child): z.infer<typeof serviceReady>["addresses"] {
  return serviceReady.parse(service.ready).addresses;
}

interface Stores {
  service: Child;
  inMemory: RefreshLoop;
  /** The service with its state in the directory. */
  durable: Child;
  inSqlite: RefreshLoop;
  directory: string;
}

/** One after the other, so that noise affects both stores. */
async function measureStores(stores: Stores, scale: number): Promise<Metric[]> {
  const challengesOf = (service: Child): Promise<number> =>
    closedLoop({
      url: `${addressesOf(service).auth_url}/api/v1/challenge`,
      connections,
      durationSeconds: scale,
      status: 200,
    });
  const challenges = await challengesOf(stores.service);
  const durableChallenges = await challengesOf(stores.durable);
  const refreshes = await stores.inMemory.measure(2 * scale);
  const durableRefreshes = await stores.inSqlite.measure(2 * scale);
  return [
    { name: "challenges, SQLite : memory", unit: "x", value: durableChallenges / challenges, goal: ">= 0.5" },
    { name: "token refreshes, memory", unit: "/s", value: refreshes },
    { name: "token refreshes, SQLite", unit: "/s", value: durableRefreshes },
    {
      name: "token refreshes, SQLite : memory",
      unit: "x",
      value: durableRefreshes / refreshes,
      goal: ">= 0.5",
    },
    { name: "fsync of 4 KiB", unit: "ms", value: fsyncMs(stores.directory) },
  ];
}

async function scryptMs(): Promise<number> {
  const child = await startChild("scrypt-time.ts");
  await child.stop();
  return scryptReady.parse(child.ready).scryptMs;
}

/** Measures each forgery that needs no scrypt, in sequence. */
async function refusalRates(
  authUrl: string,
  durationSeconds: number,
): Promise<{ name: string; perSecond: number }[]> {
  const response = await fetch(`${authUrl}/api/v1/challenge`, { method: "POST" });
  const challenge = (response.headers.get("authorization") ?? "").replace(/^Bearer /, "");
  const rates: { name: string; perSecond: number }[] = [];
  for (const forgery of cheapForgeries(difficultyBits)) {
    const perSecond = await closedLoop({
      url: `${authUrl}/api/v1/session`,
      connections,
      durationSeconds,
      status: forgery.status,
      headers: {
        authorization: `Bearer ${forgery.challenge(challenge)}`,
        "content-type": "application/json",
      },
      body: signupBody(forgery.powHex),
    });
    rates.push({ name: forgery.name, perSecond });
  }
  return rates;
}

function report(rounds: readonly Metric[][], foreignCores: readonly number[]): void {
  const [first = []] = rounds;
  const width = Math.max(...first.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(10)).join("")}`.trimEnd();
  const lines = first.map(({ name, unit, goal = "" }, at) => {
    const values = rounds.map((metrics) => metrics[at]?.value ?? Number.NaN);
    const cells = [median(values), Math.min(...values), Math.max(...values)].map(formatValue);
    return line(`${name}`, [...cells, unit, goal]);
  });
  console.log([line("", ["median", "min", "max", "", "goal"]), ...lines].join("\n"));
  if (foreignCores.length === 0) return;
  const foreign = median(foreignCores);
  const isQuiet = foreign <= maxForeignCores;
  console.log(
    `other programs used ${formatValue(foreign)} cores${isQuiet ? "" : `; above ${maxForeignCores} the results are unreliable`}`,
  );
}

function formatValue(value: number): string {
  return value.toFixed(value < 100 ? 2 : 0);
}
