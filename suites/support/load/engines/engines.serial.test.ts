import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { runOpenLoop } from "./open-loop.ts";
import { openPool } from "./dispatch.ts";
import { createInvariantChecker } from "./invariants.ts";
import { percentileMs } from "../figures/latency-histogram.ts";
import type { Supply } from "../load-step.ts";
import { latencyOf, total } from "../figures/measurement.ts";
import { runClosedLoop } from "./closed-loop.ts";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.ts";
import { createStreamRecorder } from "./stream-recorder.ts";

/**
 * Checks what the engines report for servers with known delays. The server and the generator share a process and a clock, and
 * bounds leave room for the delays of a busy machine in one direction only.
 */

const neverAborted = new AbortController().signal;
const servers: ScriptedServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(listener: RequestListener): Promise<ScriptedServer> {
  const server = await startScriptedServer(listener);
  servers.push(server);
  return server;
}

function gets(origin: string): Supply {
  return {
    next: () => ({
      requests: [{ method: "GET", url: `${origin}/` }],
      isExpectedStatus: (status) => status === 200,
      judge: () => {},
    }),
  };
}

async function runOpen(origin: string, ratePerSecond: number, seconds: number, signal = neverAborted) {
  const startMs = performance.now();
  const recorder = createStreamRecorder(startMs);
  const checker = createInvariantChecker("get");
  const pool = openPool(origin, 5000);
  await runOpenLoop({
    ratePerSecond,
    seconds,
    startMs,
    supply: gets(origin),
    pool,
    recorder,
    checker,
    timeoutMs: 5000,
    signal,
  });
  await pool.destroy();
  return { rows: recorder.rows(), recorder, checker, startMs };
}

async function runClosed(origin: string, connections: number, seconds: number, supply = gets(origin)) {
  const recorder = createStreamRecorder(performance.now());
  const checker = createInvariantChecker("get");
  await runClosedLoop({
    origin,
    connections,
    seconds,
    supply,
    recorder,
    checker,
    timeoutMs: 1000,
    signal: neverAborted,
  });
  return { rows: recorder.rows(), recorder, checker };
}

/** The mean interval between arrivals in ms, by least squares, which a late first or last arrival hardly affects. */
function meanIntervalMs(arrivalsMs: readonly number[]): number {
  const mean = (arrivalsMs.length - 1) / 2;
  const meanMs = arrivalsMs.reduce((sum, atMs) => sum + atMs, 0) / arrivalsMs.length;
  const covariance = arrivalsMs.reduce((sum, atMs, at) => sum + (at - mean) * (atMs - meanMs), 0);
  const variance = arrivalsMs.reduce((sum, _atMs, at) => sum + (at - mean) ** 2, 0);
  return covariance / variance;
}

function respondAfter(ms: number): RequestListener {
  return (_request, response) => void setTimeout(() => response.end("ok"), ms);
}

describe("the open-loop engine", () => {
  test.for([{ ratePerSecond: 50 }, { ratePerSecond: 300 }, { ratePerSecond: 1000 }])(
    "sends $ratePerSecond requests per second within 0.5 %",
    async ({ ratePerSecond }) => {
      const server = await serve((_request, response) => void response.end("ok"));
      const seconds = 3;
      const { rows } = await runOpen(server.origin, ratePerSecond, seconds);
      expect(total({ rows }, "sent")).toBe(ratePerSecond * seconds);
      expect(total({ rows }, "planned")).toBe(ratePerSecond * seconds);
      expect(Math.abs((meanIntervalMs(server.arrivalsMs) * ratePerSecond) / 1000 - 1)).toBeLessThan(0.005);
    },
  );

  test("spreads requests evenly instead of sending them in bursts", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    const { startMs } = await runOpen(server.origin, 200, 2);
    const slots = Array.from({ length: 20 }, () => 0);
    for (const atMs of server.arrivalsMs) {
      const slot = Math.min(19, Math.floor((atMs - startMs) / 100));
      slots[slot] = (slots[slot] ?? 0) + 1;
    }
    // 20 in each 100 ms; a late request falls into the next slot.
    expect(Math.max(...slots)).toBeLessThan(35);
    expect(slots.filter((count) => count > 5).length).toBeGreaterThan(17);
  });

  test("reports a constant latency of 50 ms, with one sample per response", async () => {
    const server = await serve(respondAfter(50));
    const { rows } = await runOpen(server.origin, 100, 2);
    const latency = latencyOf({ rows });
    expect(latency.totalCount).toBe(200);
    // A timer may fire late on a busy machine, or a millisecond early.
    expect(percentileMs(latency, 1)).toBeGreaterThan(48);
    expect(percentileMs(latency, 50)).toBeLessThan(60);
  });

  test("includes a two-second stall in the latency of every request scheduled during it", async () => {
    const startedMs = performance.now();
    const stallFromMs = 1000;
    const stallMs = 2000;
    const server = await serve((_request, response) => {
      const intoMs = performance.now() - startedMs;
      const stalledForMs = intoMs > stallFromMs ? Math.max(0, stallFromMs + stallMs - intoMs) : 0;
      setTimeout(() => response.end("ok"), stalledForMs);
    });
    const { rows } = await runOpen(server.origin, 50, 4);
    const latency = latencyOf({ rows });
    expect(latency.totalCount).toBe(200);
    // Half of the requests are scheduled during the stall and wait for the rest of it.
    expect(percentileMs(latency, 40)).toBeLessThan(100);
    expect(percentileMs(latency, 99)).toBeGreaterThan(1900);
    expect(percentileMs(latency, 75)).toBeGreaterThan(700);
  });

  test("counts requests as dropped when the supply is empty", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    const startMs = performance.now();
    const recorder = createStreamRecorder(startMs);
    const pool = openPool(server.origin, 5000);
    const checker = createInvariantChecker("get");
    let left = 10;
    const supply: Supply = {
      next: () => (left-- > 0 ? gets(server.origin).next() : undefined),
    };
    const common = { recorder, checker, pool, supply, timeoutMs: 5000, signal: neverAborted };
    await runOpenLoop({ ...common, ratePerSecond: 100, seconds: 0.5, startMs });
    await pool.destroy();
    const rows = recorder.rows();
    expect([total({ rows }, "scheduled"), total({ rows }, "sent"), total({ rows }, "dropped")]).toEqual([
      50, 10, 40,
    ]);
  });

  test("stops sending when aborted, and waits for requests in flight", async () => {
    const server = await serve(respondAfter(200));
    const controller = new AbortController();
    void delay(500).then(() => controller.abort());
    const { rows } = await runOpen(server.origin, 100, 10, controller.signal);
    const sent = total({ rows }, "sent");
    expect(sent).toBeLessThan(100);
    expect(total({ rows }, "planned")).toBe(sent);
  });
});

describe("the closed-loop engine", () => {
  test("reports a constant latency of 50 ms, consistent with Little's law", async () => {
    const server = await serve(respondAfter(50));
    const connections = 8;
    const seconds = 2;
    const { rows } = await runClosed(server.origin, connections, seconds);
    const latency = latencyOf({ rows });
    expect(percentileMs(latency, 1)).toBeGreaterThan(48);
    expect(percentileMs(latency, 50)).toBeLessThan(60);
    const throughput = total({ rows }, "planned") / seconds;
    const inFlight = throughput * (latency.mean / 1e6);
    expect(Math.abs(inFlight / connections - 1)).toBeLessThan(0.1);
  });

  test("has a resolution below a millisecond", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    const { rows } = await runClosed(server.origin, 1, 1);
    expect(percentileMs(latencyOf({ rows }), 50)).toBeGreaterThan(0);
    expect(percentileMs(latencyOf({ rows }), 1)).toBeLessThan(1);
  });

  test.for([
    {
      what: "a reset",
      listener: ((request) => void request.socket.resetAndDestroy()) as RequestListener,
      kinds: ["reset"],
    },
    {
      what: "a connection closed without a response",
      listener: ((request) => void request.socket.end()) as RequestListener,
      kinds: ["closed-early"],
    },
    { what: "a timeout", listener: (() => {}) as RequestListener, kinds: ["timeout"] },
  ])("records $what", async ({ listener, kinds }) => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      if (requests % 50 === 0) listener(request, response);
      else respondAfter(2)(request, response);
    });
    const { recorder, checker } = await runClosed(server.origin, 4, 2.5);
    const seen = Object.entries(recorder.failures).flatMap(([kind, count]) => (count > 0 ? [kind] : []));
    expect(seen).toEqual(kinds);
    expect(checker.violations).toHaveLength(1);
  });

  test("honours Connection: close", async () => {
    let requests = 0;
    const server = await serve((_request, response) => {
      requests += 1;
      if (requests % 10 === 0) response.setHeader("Connection", "close");
      response.end("ok");
    });
    const { rows, recorder, checker } = await runClosed(server.origin, 4, 1);
    expect(total({ rows }, "planned")).toBeGreaterThan(20);
    expect(Object.values(recorder.failures)).toEqual([0, 0, 0, 0]);
    expect(checker.violations).toEqual([]);
  });

  test("ends when the supply is exhausted, and counts a drop", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    let left = 20;
    const supply: Supply = { next: () => (left-- > 0 ? gets(server.origin).next() : undefined) };
    const { rows } = await runClosed(server.origin, 2, 5, supply);
    expect(total({ rows }, "sent")).toBe(20);
    expect(total({ rows }, "dropped")).toBeGreaterThan(0);
  });
});

describe("both engines", () => {
  test("classify 429, and 503 with Retry-After, as shed; 503 alone is an error", async () => {
    let turn = 0;
    const server = await serve((_request, response) => {
      turn += 1;
      const [status, headers] = (
        [
          [200, {}],
          [429, {}],
          [503, { "Retry-After": "1" }],
          [503, {}],
        ] as const
      )[turn % 4] ?? [200, {}];
      response.writeHead(status, headers).end("{}");
    });
    const { rows, checker } = await runOpen(server.origin, 100, 1);
    expect([total({ rows }, "planned"), total({ rows }, "shed"), total({ rows }, "unplanned")]).toEqual([
      25, 50, 25,
    ]);
    expect(checker.violations.map(({ observed }) => observed)).toEqual(["503"]);
  });
});
