import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startSolverThread, type SolverThread } from "./solver-thread.ts";
import { createSolver } from "./solver.ts";

const known = {
  jti: "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192",
  saltHexText: "9f86d081884c7d659a2feaa0c55ad015",
};

test("a thread that is lost is replaced, and its nonces are tried again", async () => {
  let started = 0;
  const startThread = (): SolverThread => {
    started += 1;
    const thread = startSolverThread();
    if (started > 1) return thread;
    const run: SolverThread["run"] = async (chunk, signal) => {
      const result = thread.run(chunk, signal);
      await Promise.all([thread.stop(), result]);
      return result;
    };
    return { ...thread, run };
  };
  const solver = createSolver({ workers: 1, startThread });
  const hit = await solver.search({ ...known, from: 116, accept: { kind: "at-least", bits: 6 } });
  await solver.close();
  expect(hit.nonce).toBe("121");
  expect(started).toBe(2);
});

test("a search that ends leaves its thread to others before its chunk is done", async () => {
  const solver = createSolver({ workers: 1 });
  const abort = new AbortController();
  const endless = solver.search({
    ...known,
    accept: { kind: "at-least", bits: 512 },
    signal: abort.signal,
    // From the second chunk on the thread has found its speed.
    onProgress: () => abort.abort(new RangeError("enough")),
  });
  await expect(endless).rejects.toThrow("enough");
  const next = await solver.search({ ...known, from: 116, accept: { kind: "at-least", bits: 6 } });
  const { tries } = solver.stats();
  await solver.close();
  expect(next.nonce).toBe("121");
  expect(tries).toBeLessThanOrEqual(12 + next.tries);
});

test("progress is told in tries, speed and what is to be expected", async () => {
  const solver = createSolver({ workers: 1 });
  const told: unknown[] = [];
  const accept = { kind: "at-least", bits: 6 } as const;
  await solver.search({ ...known, from: 104, accept, onProgress: (progress) => told.push(progress) });
  await solver.close();
  expect(told).toEqual([
    { tries: 12, elapsedMs: expect.any(Number), triesPerSecond: expect.any(Number), expectedTries: 64 },
  ]);
});

test("an interrupt ends a process whose threads compute", async () => {
  const solverUrl = new URL("./solver.ts", import.meta.url).href;
  const program = `
    import { createSolver } from ${JSON.stringify(solverUrl)};
    const onProgress = () => console.log("computing");
    await createSolver().search({ jti: "j", saltHexText: "00", accept: { kind: "at-least", bits: 512 }, onProgress });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  await once(child.stdout, "data");
  child.kill("SIGINT");
  const [code, signal] = await once(child, "exit");
  expect({ code, signal }).toEqual({ code: null, signal: "SIGINT" });
});
