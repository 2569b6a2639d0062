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
/** Of other programs, in the median round. */
const quietForeignCores = 0.2;

const cores = availableParallelism();
const serviceReady = z.object({ addresses: z.object({ auth_url: z.string() }) });
const bareReady = z.object({ url: z.string() });
const scryptReady = z.object({ scryptMs: z.number() });

/** One line of the table, in one round. */
interface Figure {
  name: string;
  unit: "/s" | "ms" | "S" | "x";
  value: number;
  /** What the service is held to. */
  asked?: string;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
await bench(z.coerce.number().int().min(1).max(1000).parse(values.rounds));

/** The service and its yardstick in turn, round by round, so that whatever else the machine does falls on both; medians. */
async function bench(roundCount: number): Promise<void> {
  const bare = await startChild("bare-server.ts");
  const flags = ["--json", "--exit-with-parent", "--difficulty", String(difficultyBits)];
  const service = await startChild("../../fixtures/service/main.ts", flags);
  const rounds: Figure[][] = [];
  const foreignCores: number[] = [];
  try {
    // Once unmeasured, for the compilers.
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

/** @param scale - of every duration */
async function measure(bare: Child, service: Child, scale: number): Promise<Figure[]> {
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
    { name: "challenges : bare", unit: "x", value: challenges / bareRate, asked: ">= 0.5" },
    { name: "verifications", unit: "/s", value: verifiedPerSecond },
    { name: `efficiency on ${cores} cores`, unit: "x", value: efficiency, asked: ">= 0.8" },
    { name: "wait for a verification, median", unit: "S", value: saturated.verifyMs / s },
    { name: "challenge meanwhile, p99", unit: "S", value: saturated.challengeP99Ms / s, asked: "<= 2" },
    { name: "metadata meanwhile, p99", unit: "S", value: saturated.metadataP99Ms / s, asked: "<= 2" },
    ...refusals.flatMap(({ name, perSecond }): Figure[] => [
      { name: `refusals, ${name}`, unit: "/s", value: perSecond },
      {
        name: `refusals, ${name} : verifications`,
        unit: "x",
        value: perSecond / verifiedPerSecond,
        asked: ">= 100",
      },
    ]),
  ];
}

async function scryptMs(): Promise<number> {
  const child = await startChild("scrypt-time.ts");
  await child.stop();
  return scryptReady.parse(child.ready).scryptMs;
}

/** Of each forgery that needs no scrypt, one after the other. */
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

function report(rounds: readonly Figure[][], foreignCores: readonly number[]): void {
  const [first = []] = rounds;
  const width = Math.max(...first.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(10)).join("")}`.trimEnd();
  const lines = first.map(({ name, unit, asked = "" }, at) => {
    const values = rounds.map((figures) => figures[at]?.value ?? Number.NaN);
    const cells = [median(values), Math.min(...values), Math.max(...values)].map(shortened);
    return line(`${name}`, [...cells, unit, asked]);
  });
  console.log([line("", ["median", "least", "most", "", "asked"]), ...lines].join("\n"));
  if (foreignCores.length === 0) return;
  const foreign = median(foreignCores);
  const isQuiet = foreign <= quietForeignCores;
  console.log(
    `other programs used ${shortened(foreign)} cores${isQuiet ? "" : `; above ${quietForeignCores} the figures are no basis for a claim`}`,
  );
}

function shortened(value: number): string {
  return value.toFixed(value < 100 ? 2 : 0);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
