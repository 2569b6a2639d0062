import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { runArrivals } from "./arrivals.ts";
import { openPool } from "./dispatch.ts";
import { createInvariantWatch } from "./invariants.ts";
import { percentileMs } from "../figures/latency-histogram.ts";
import type { Supply } from "../load-step.ts";
import { latencyOf, total } from "../figures/measurement.ts";
import { runSaturation } from "./saturate.ts";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.ts";
import { createStreamRecorder } from "./stream-recorder.ts";

/**
 * What the engines report of servers whose behaviour is known. They measure this machine's timers too, so the server and the
 * generator share a process and a clock, and bounds leave room for a busy machine in one direction only.
 */

const neverAborted = new AbortController().signal;
const servers: ScriptedServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: RequestListener): Promise<ScriptedServer> {
  const server = await startScriptedServer(answer);
  servers.push(server);
  return server;
}

function gets(origin: string): Supply {
  return {
    next: () => ({
      requests: [{ method: "GET", url: `${origin}/` }],
      isPlanned: (status) => status === 200,
      judge: () => {},
    }),
  };
}

async function arrive(origin: string, ratePerSecond: number, seconds: number, signal = neverAborted) {
  const startMs = performance.now();
  const recorder = createStreamRecorder(startMs);
  const watch = createInvariantWatch("get");
  const pool = openPool(origin, 5000);
  await runArrivals({
    ratePerSecond,
    seconds,
    startMs,
    supply: gets(origin),
    pool,
    recorder,
    watch,
    timeoutMs: 5000,
    signal,
  });
  await pool.destroy();
  return { rows: recorder.rows(), recorder, watch, startMs };
}

async function saturate(origin: string, connections: number, seconds: number, supply = gets(origin)) {
  const recorder = createStreamRecorder(performance.now());
  const watch = createInvariantWatch("get");
  await runSaturation({
    origin,
    connections,
    seconds,
    supply,
    recorder,
    watch,
    timeoutMs: 1000,
    signal: neverAborted,
  });
  return { rows: recorder.rows(), recorder, watch };
}

/** Milliseconds from one arrival to the next, by least squares: a late first or last one hardly counts. */
function slopeOf(arrivalsMs: readonly number[]): number {
  const mean = (arrivalsMs.length - 1) / 2;
  const meanMs = arrivalsMs.reduce((sum, atMs) => sum + atMs, 0) / arrivalsMs.length;
  const both = arrivalsMs.reduce((sum, atMs, at) => sum + (at - mean) * (atMs - meanMs), 0);
  const own = arrivalsMs.reduce((sum, _atMs, at) => sum + (at - mean) ** 2, 0);
  return both / own;
}

function after(ms: number): RequestListener {
  return (_request, response) => void setTimeout(() => response.end("ok"), ms);
}

describe("the open engine", () => {
  test.for([{ ratePerSecond: 50 }, { ratePerSecond: 300 }, { ratePerSecond: 1000 }])(
    "holds $ratePerSecond requests a second within 0.5 %",
    async ({ ratePerSecond }) => {
      const server = await serve((_request, response) => void response.end("ok"));
      const seconds = 3;
      const { rows } = await arrive(server.origin, ratePerSecond, seconds);
      expect(total({ rows }, "sent")).toBe(ratePerSecond * seconds);
      expect(total({ rows }, "planned")).toBe(ratePerSecond * seconds);
      expect(Math.abs((slopeOf(server.arrivalsMs) * ratePerSecond) / 1000 - 1)).toBeLessThan(0.005);
    },
  );

  test("spreads requests over the second instead of sending them in a burst", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    const { startMs } = await arrive(server.origin, 200, 2);
    const slots = Array.from({ length: 20 }, () => 0);
    for (const atMs of server.arrivalsMs) {
      const slot = Math.min(19, Math.floor((atMs - startMs) / 100));
      slots[slot] = (slots[slot] ?? 0) + 1;
    }
    // 20 in each tenth of a second; one that came late fell into the next.
    expect(Math.max(...slots)).toBeLessThan(35);
    expect(slots.filter((count) => count > 5).length).toBeGreaterThan(17);
  });

  test("reports a constant 50 ms as 50 ms, from as many samples as there were answers", async () => {
    const server = await serve(after(50));
    const { rows } = await arrive(server.origin, 100, 2);
    const latency = latencyOf({ rows });
    expect(latency.totalCount).toBe(200);
    // A timer may fire late on a busy machine, and a millisecond early.
    expect(percentileMs(latency, 1)).toBeGreaterThan(48);
    expect(percentileMs(latency, 50)).toBeLessThan(60);
  });

  test("shows a stall of two seconds in every request that was due meanwhile", async () => {
    const startedMs = performance.now();
    const stallFromMs = 1000;
    const stallMs = 2000;
    const server = await serve((_request, response) => {
      const intoMs = performance.now() - startedMs;
      const stalledForMs = intoMs > stallFromMs ? Math.max(0, stallFromMs + stallMs - intoMs) : 0;
      setTimeout(() => response.end("ok"), stalledForMs);
    });
    const { rows } = await arrive(server.origin, 50, 4);
    const latency = latencyOf({ rows });
    expect(latency.totalCount).toBe(200);
    // Half of all requests fell into the stall: the median is quick, and the slow ones waited for its rest.
    expect(percentileMs(latency, 40)).toBeLessThan(100);
    expect(percentileMs(latency, 99)).toBeGreaterThan(1900);
    expect(percentileMs(latency, 75)).toBeGreaterThan(700);
  });

  test("counts what it had nothing to send for as dropped", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    const startMs = performance.now();
    const recorder = createStreamRecorder(startMs);
    const pool = openPool(server.origin, 5000);
    const watch = createInvariantWatch("get");
    let left = 10;
    const supply: Supply = {
      next: () => (left-- > 0 ? gets(server.origin).next() : undefined),
    };
    const common = { recorder, watch, pool, supply, timeoutMs: 5000, signal: neverAborted };
    await runArrivals({ ...common, ratePerSecond: 100, seconds: 0.5, startMs });
    await pool.destroy();
    const rows = recorder.rows();
    expect([total({ rows }, "scheduled"), total({ rows }, "sent"), total({ rows }, "dropped")]).toEqual([
      50, 10, 40,
    ]);
  });

  test("stops sending when it is interrupted, and waits for what is under way", async () => {
    const server = await serve(after(200));
    const interruption = new AbortController();
    void delay(500).then(() => interruption.abort());
    const { rows } = await arrive(server.origin, 100, 10, interruption.signal);
    const sent = total({ rows }, "sent");
    expect(sent).toBeLessThan(100);
    expect(total({ rows }, "planned")).toBe(sent);
  });
});

describe("the closed engine", () => {
  test("reports a constant 50 ms as 50 ms and keeps to Little's law", async () => {
    const server = await serve(after(50));
    const connections = 8;
    const seconds = 2;
    const { rows } = await saturate(server.origin, connections, seconds);
    const latency = latencyOf({ rows });
    expect(percentileMs(latency, 1)).toBeGreaterThan(48);
    expect(percentileMs(latency, 50)).toBeLessThan(60);
    const throughput = total({ rows }, "planned") / seconds;
    const underWay = throughput * (latency.mean / 1e6);
    expect(Math.abs(underWay / connections - 1)).toBeLessThan(0.1);
  });

  test("measures tenths of a millisecond, which a histogram of whole milliseconds would call zero", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    const { rows } = await saturate(server.origin, 1, 1);
    expect(percentileMs(latencyOf({ rows }), 50)).toBeGreaterThan(0);
    expect(percentileMs(latencyOf({ rows }), 1)).toBeLessThan(1);
  });

  test.for([
    {
      what: "a reset",
      answer: ((request) => void request.socket.resetAndDestroy()) as RequestListener,
      kinds: ["reset"],
    },
    {
      what: "a connection that ends without an answer",
      answer: ((request) => void request.socket.end()) as RequestListener,
      kinds: ["closed-early"],
    },
    { what: "silence", answer: (() => {}) as RequestListener, kinds: ["timeout"] },
  ])("sees $what", async ({ answer, kinds }) => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      if (requests % 50 === 0) answer(request, response);
      else after(2)(request, response);
    });
    const { recorder, watch } = await saturate(server.origin, 4, 2.5);
    const seen = Object.entries(recorder.failures).flatMap(([kind, count]) => (count > 0 ? [kind] : []));
    expect(seen).toEqual(kinds);
    expect(watch.violations).toHaveLength(1);
  });

  test("takes a target that ends a connection after some answers, as it says in the last one", async () => {
    let requests = 0;
    const server = await serve((_request, response) => {
      requests += 1;
      if (requests % 10 === 0) response.setHeader("Connection", "close");
      response.end("ok");
    });
    const { rows, recorder, watch } = await saturate(server.origin, 4, 1);
    expect(total({ rows }, "planned")).toBeGreaterThan(20);
    expect(Object.values(recorder.failures)).toEqual([0, 0, 0, 0]);
    expect(watch.violations).toEqual([]);
  });

  test("ends when there is nothing more to send, and says so", async () => {
    const server = await serve((_request, response) => void response.end("ok"));
    let left = 20;
    const supply: Supply = { next: () => (left-- > 0 ? gets(server.origin).next() : undefined) };
    const { rows } = await saturate(server.origin, 2, 5, supply);
    expect(total({ rows }, "sent")).toBe(20);
    expect(total({ rows }, "dropped")).toBeGreaterThan(0);
  });
});

describe("both engines", () => {
  test("tell shedding from an error: 503 needs Retry-After, 429 does not", async () => {
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
    const { rows, watch } = await arrive(server.origin, 100, 1);
    expect([total({ rows }, "planned"), total({ rows }, "shed"), total({ rows }, "unplanned")]).toEqual([
      25, 50, 25,
    ]);
    expect(watch.violations.map(({ observed }) => observed)).toEqual(["503"]);
  });
});
