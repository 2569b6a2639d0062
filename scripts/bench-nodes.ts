import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startPostgres, type PostgresServer } from "../fixtures/service/store/postgres/test-server.ts";
import { startChild } from "./bench-service/child.ts";
import { closedLoop } from "./bench-service/closed-loop.ts";
import { fsyncMs } from "./bench-service/fsync-time.ts";
import { median } from "./median.ts";
import { processorTime, processTreeMs } from "./bench-service/processor-time.ts";
import { openRefreshLoop, type RefreshLoop } from "./bench-service/refresh-rate.ts";

const usage = `npm run bench:nodes -- [--rounds N] [--seconds N]

Measures the reference service in memory, on SQLite, and on PostgreSQL with 1, 2 and 4 nodes: challenges, which need no
store, and token refreshes, each of which is a write. Prints medians of the rounds, and what follows for nodes with a core
each. Linux only.

  --rounds N   how often each is measured, by turns (5)
  --seconds N  how long each time (2)
`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const count = z.coerce.number().int().min(1).max(1000);
const callers = 16;
const warmUpSeconds = 3;
const nodeCounts = [1, 2, 4];
/** Of the projection. */
const projectedNodes = [1, 2, 4, 8];

const serviceReady = z.object({
  addresses: z.object({ auth_url: z.string(), api_url: z.string(), mcp_url: z.string() }),
  nodes: z.array(z.object({ pid: z.number() })).default([]),
});

type Operation = "challenge" | "refresh";
const operations: readonly Operation[] = ["challenge", "refresh"];

/** The service on one store. */
interface Subject {
  readonly name: string;
  readonly authUrl: string;
  readonly refreshes: RefreshLoop;
  /** Of the processes that answer requests. */
  readonly nodePids: readonly number[];
  /** The main process of its database; null without one. */
  readonly databasePid: number | null;
  close(): Promise<void>;
}

/** CPU times are in ms for each request. */
interface Measured {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly databaseMs: number;
  readonly callerMs: number;
}

if (values.help) process.stdout.write(usage);
else await bench(count.parse(values.rounds), count.parse(values.seconds));

async function bench(rounds: number, seconds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "mailproof-bench-"));
  const database = await startPostgres();
  const subjects: Subject[] = [];
  const results = new Map<string, Measured[]>();
  const foreignCores: number[] = [];
  const fsyncs: number[] = [];
  try {
    subjects.push(await open("memory", []), await open("SQLite", ["--data", join(directory, "data")]));
    for (const nodes of nodeCounts) subjects.push(await openNodes(database, nodes));
    // Warm-up for the JIT compiler.
    for (const subject of subjects)
      for (const operation of operations) await measure(subject, operation, warmUpSeconds);
    for (let round = 1; round <= rounds; round += 1) {
      const pids = [process.pid, ...subjects.flatMap(({ nodePids }) => nodePids)];
      const machine = watchMachine(() => cpuMs(pids) + processTreeMs(database.pid));
      for (const operation of operations)
        for (const subject of subjects) {
          const key = `${operation} ${subject.name}`;
          results.set(key, [...(results.get(key) ?? []), await measure(subject, operation, seconds)]);
        }
      foreignCores.push(machine.foreignCores());
      fsyncs.push(fsyncMs(directory));
      process.stderr.write(`round ${round} of ${rounds}\r`);
    }
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()));
    await database.stop();
    rmSync(directory, { recursive: true });
  }
  for (const operation of operations)
    console.log(`${tableOf(operation, subjects, (name) => results.get(`${operation} ${name}`) ?? [])}\n`);
  console.log(
    `${availableParallelism()} cores, shared by all; other programs used ${format(median(foreignCores))} of them; fsync of 4 KiB ${format(median(fsyncs))} ms`,
  );
}

async function open(name: string, flags: readonly string[]): Promise<Subject> {
  const child = await startChild("../../fixtures/service/main.ts", [
    "--json",
    "--exit-with-parent",
    "--difficulty",
    "0",
    ...flags,
  ]);
  const { addresses, nodes } = serviceReady.parse(child.ready);
  const refreshes = await openRefreshLoop(addresses, callers);
  return {
    name,
    authUrl: addresses.auth_url,
    refreshes,
    nodePids: nodes.length === 0 ? [child.pid] : nodes.map(({ pid }) => pid),
    databasePid: null,
    async close() {
      await refreshes.close();
      await child.stop();
    },
  };
}

async function openNodes(database: PostgresServer, nodes: number): Promise<Subject> {
  const flags = ["--database", await database.createDatabase(), "--nodes", String(nodes)];
  const subject = await open(`PostgreSQL, ${nodes} node${nodes === 1 ? "" : "s"}`, flags);
  return { ...subject, databasePid: database.pid };
}

async function measure(subject: Subject, operation: Operation, seconds: number): Promise<Measured> {
  const { nodePids, databasePid, authUrl, refreshes } = subject;
  const databaseMs = (): number => (databasePid === null ? 0 : processTreeMs(databasePid));
  const [nodes, databases, own] = [cpuMs(nodePids), databaseMs(), cpuMs([process.pid])];
  const startedMs = performance.now();
  const perSecond =
    operation === "refresh"
      ? await refreshes.measure(seconds)
      : await closedLoop({
          url: `${authUrl}/api/v1/challenge`,
          connections: callers,
          durationSeconds: seconds,
          status: 200,
        });
  const requests = (perSecond * (performance.now() - startedMs)) / 1000;
  return {
    perSecond,
    nodeMs: (cpuMs(nodePids) - nodes) / requests,
    databaseMs: (databaseMs() - databases) / requests,
    callerMs: (cpuMs([process.pid]) - own) / requests,
  };
}

function cpuMs(pids: readonly number[]): number {
  return processorTime(pids)?.ownMs ?? Number.NaN;
}

/** @param ownMs - CPU time of all that is measured, and of this process */
function watchMachine(ownMs: () => number): { foreignCores(): number } {
  const foreignMs = (): number => (processorTime([])?.machineMs ?? Number.NaN) - ownMs();
  const before = foreignMs();
  const startedMs = performance.now();
  return {
    foreignCores: () => Math.max(0, (foreignMs() - before) / (performance.now() - startedMs)),
  };
}

function tableOf(
  operation: Operation,
  subjects: readonly Subject[],
  measuredOf: (name: string) => readonly Measured[],
): string {
  const title = operation === "challenge" ? "challenges" : "token refreshes";
  const lines = subjects.map(({ name }) => {
    const measured = measuredOf(name);
    const rates = measured.map(({ perSecond }) => perSecond);
    const times = (["nodeMs", "databaseMs", "callerMs"] as const).map((part) =>
      median(measured.map((each) => each[part])),
    );
    return row(name, [median(rates), Math.min(...rates), Math.max(...rates), ...times].map(format));
  });
  const heads = ["a second", "least", "most", "node ms", "database ms", "caller ms"];
  return [row(title, heads), ...lines, projection(subjects, measuredOf)].join("\n");
}

/**
 * A node answers one request after the other, so one with a core to itself answers 1000 / node ms a second, and N of them N
 * times as many, as long as the database has the cores that it then needs. The times are those of one node, whose code the
 * JIT compiler has seen most of. What is not in it: waits for locks and for the disk, and the network.
 */
function projection(subjects: readonly Subject[], measuredOf: (name: string) => readonly Measured[]): string {
  const measured = measuredOf(subjects.find(({ databasePid }) => databasePid !== null)?.name ?? "");
  const nodeMs = median(measured.map((each) => each.nodeMs));
  const databaseMs = median(measured.map((each) => each.databaseMs));
  const lines = projectedNodes.map((nodes) => {
    const perSecond = (1000 * nodes) / nodeMs;
    const databaseCores = (perSecond * databaseMs) / 1000;
    return row(`  ${nodes} node${nodes === 1 ? "" : "s"}`, [format(perSecond), format(databaseCores)]);
  });
  return [row("projected", ["a second", "database cores"]), ...lines].join("\n");
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(22)}${cells.map((cell) => cell.padStart(15)).join("")}`;
}

function format(value: number): string {
  return value.toFixed(value < 100 ? 2 : 0);
}
