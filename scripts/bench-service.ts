import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startChild, type Child } from "./bench-service/child.ts";
import { closedLoop } from "./bench-service/closed-loop.ts";
import { cheapForgeries, signupBody } from "./bench-service/forgeries.ts";
import { processorTime } from "./bench-service/processor-time.ts";
import { saturate } from "./bench-service/saturation.ts";

const difficultyBits = 8;
const connections = 16;
/** CPU usage of other programs in the median round. */
const maxForeignCores = 0.2;

const cores = availableParallelism();
const serviceReady = z.object({ addresses: z.object({ auth_url: z.string() }) });
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
  const rounds: Metric[][] = [];
  const foreignCores: number[] = [];
  try {
    // Warm-up for the JIT compiler.
    await measure(bare, service, 0.3);
    for (let round = 1; round <= roundCount; round++) {
      const before = processorTime([process.pid, bare.pid, service.pid]);
      const startedMs = performance.now();
      rounds.push(await measure(bare, service, 1));
      const after = processorTime([process.pid, bare.pid, service.pid]);
      if (before !== null && after !== null) {
        const foreignMs = after.machineMs - before.machineMs - (after.ownMs - before.ownMs);
        foreignCores.push(Math.max(0, foreignMs / (performance.now() - startedMs)));
      }
      process.stderr.write(`round ${round} of ${roundCount}\r`);
    }
  } finally {
    await Promise.all([bare.stop(), service.stop()]);
  }
  report(rounds, foreignCores);
}

/** @param scale - factor for all durations */
async function measure(bare: Child, service: Child, scale: number): Promise<Metric[]> {
  const { auth_url: authUrl } = serviceReady.parse(service.ready).addresses;
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

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
