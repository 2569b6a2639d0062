import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { z } from "zod";
import { kernelFlags } from "../suites/support/pow/kernel/v8-flags.ts";
import { barChart } from "./bench-pow/chart.ts";
import type { ImplementationName } from "./bench-pow/implementations.ts";
import { machineTimeMs } from "./bench-service/processor-time.ts";
import { median } from "./median.ts";

const sampleSchema = z.object({
  hashes: z.number(),
  durationMs: z.number(),
  cpuMs: z.number(),
  peakMiB: z.number(),
  lastDigest: z.string(),
});

interface Contender {
  implementation: ImplementationName;
  /** Single-threaded processes that compute concurrently. */
  threads: number;
  processes: ChildProcess[];
  rounds: Round[];
}

interface Round {
  hashesPerSecond: number;
  /** Per second of processor time, which other programs affect less. */
  hashesPerCpuSecond: number;
  /** Cores used by other programs; null where the system does not tell. */
  otherCores: number | null;
  peakMiB: number;
}

const contenders: [ImplementationName, number][] = [
  ["node:crypto", 1],
  ["@noble/hashes", 1],
  ["hash-wasm", 1],
  ["scrypt-js", 1],
  ["mailproof", 1],
  ["node:crypto", 2],
  ["mailproof", 2],
];

/** Median over the rounds. Above it, the figures are unreliable. */
const maxOtherCores = 0.2;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    out: { type: "string", default: "reports/runs/bench-pow" },
  },
});
const rounds = z.coerce.number().int().min(1).max(1000).parse(values.rounds);
await bench(rounds, values.out);

/** Measures all contenders in each round, so that other programs disturb all of them alike, and reports medians. */
async function bench(roundCount: number, directory: string): Promise<void> {
  const started: Contender[] = [];
  try {
    // One after the other, so that they do not disturb the calibration of the kernel.
    for (const [implementation, threads] of contenders) started.push(await start(implementation, threads));
    // An unmeasured warm-up: compilation and page faults.
    for (const contender of started) await measure(contender);
    for (let round = 0; round < roundCount; round++) {
      for (const contender of started) contender.rounds.push(await measure(contender));
      process.stderr.write(`round ${round + 1} of ${roundCount}\r`);
    }
  } finally {
    for (const { processes } of started) for (const child of processes) child.kill();
  }
  const rows = summarize(started);
  console.table(rows);
  const other = median(
    started.flatMap((contender) => contender.rounds.map((round) => round.otherCores ?? 0)),
  );
  const isQuiet = other <= maxOtherCores;
  if (!isQuiet) {
    console.log(
      `noisy: other programs used ${other.toFixed(2)} cores; above ${maxOtherCores} the figures are unreliable`,
    );
  }
  mkdirSync(directory, { recursive: true });
  const machine = { cpu: cpus()[0]?.model.trim() ?? "unknown", cores: cpus().length, node: process.version };
  const text = JSON.stringify(
    { measuredAt: new Date().toISOString(), machine, roundCount, isQuiet, rows },
    undefined,
    2,
  );
  writeFileSync(`${directory}/bench-pow.json`, `${text}\n`);
  const bars = rows.map((row) => ({
    label: row.contender,
    hashesPerSecond: row.hashesPerSecond,
    note: `(${row.timesNode} x)`,
  }));
  writeFileSync(`${directory}/bench-pow.svg`, barChart("scrypt, N=16384 r=8 p=1: hashes per second", bars));
  console.log(`written to ${directory}: bench-pow.json, bench-pow.svg`);
}

async function start(implementation: ImplementationName, threads: number): Promise<Contender> {
  const script = new URL("./bench-pow/process.ts", import.meta.url);
  const processes: ChildProcess[] = [];
  for (let thread = 0; thread < threads; thread++) {
    const child = fork(script, [implementation], {
      execArgv: implementation === "mailproof" ? [...kernelFlags] : [],
    });
    processes.push(child);
    await once(child, "message", { signal: AbortSignal.timeout(60_000) });
  }
  return { implementation, threads, processes, rounds: [] };
}

async function measure({ implementation, processes }: Contender): Promise<Round> {
  const before = machineTimeMs();
  const startedMs = performance.now();
  const samples = await Promise.all(
    processes.map(async (child) => {
      child.send("sample");
      const signal = AbortSignal.timeout(60_000);
      const [message] = (await once(child, "message", { signal })) as [unknown];
      return sampleSchema.parse(message);
    }),
  );
  const elapsedMs = performance.now() - startedMs;
  const after = machineTimeMs();
  if (new Set(samples.map(({ lastDigest }) => lastDigest)).size !== 1) {
    throw new RangeError(`two processes of ${implementation} disagree on a digest`);
  }
  const ownMs = samples.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  return {
    hashesPerSecond: samples.reduce((sum, { hashes, durationMs }) => sum + (1000 * hashes) / durationMs, 0),
    hashesPerCpuSecond: (1000 * samples.reduce((sum, { hashes }) => sum + hashes, 0)) / ownMs,
    otherCores: before === null || after === null ? null : Math.max(0, (after - before - ownMs) / elapsedMs),
    peakMiB: samples.reduce((sum, { peakMiB }) => sum + peakMiB, 0),
  };
}

function summarize(measured: readonly Contender[]): {
  contender: string;
  hashesPerSecond: number;
  msPerHash: number;
  timesNode: number;
  timesNodeByCpu: number;
  timesOneThread: number | string;
  otherCores: number | string;
  peakMiB: number;
}[] {
  const speedOf = ({ rounds: all }: Contender): number => median(all.map((round) => round.hashesPerSecond));
  const byCpu = ({ rounds: all }: Contender): number => median(all.map((round) => round.hashesPerCpuSecond));
  const alone = (name: ImplementationName, speed: (contender: Contender) => number): number => {
    const found = measured.find(({ implementation, threads }) => implementation === name && threads === 1);
    return found === undefined ? Number.NaN : speed(found);
  };
  return measured.map((contender) => {
    const { implementation, threads, rounds: all } = contender;
    const speed = speedOf(contender);
    const other = all.map((round) => round.otherCores).filter((cores) => cores !== null);
    return {
      contender: `${implementation}, ${threads === 1 ? "1 thread" : `${threads} threads`}`,
      hashesPerSecond: rounded(speed),
      msPerHash: rounded((1000 * threads) / speed),
      timesNode: rounded(speed / alone("node:crypto", speedOf)),
      timesNodeByCpu: rounded(byCpu(contender) / alone("node:crypto", byCpu)),
      timesOneThread: threads === 1 ? "" : rounded(speed / alone(implementation, speedOf)),
      otherCores: other.length === 0 ? "unknown" : rounded(median(other)),
      peakMiB: Math.round(Math.max(...all.map((round) => round.peakMiB))),
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
