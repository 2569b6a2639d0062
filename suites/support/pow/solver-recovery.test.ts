import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { SearchProgress } from "./search/open-search.ts";
import { startSolverThread } from "./search/solver-thread.ts";
import { createSolver, SolverError } from "./solver.ts";

const known = {
  jti: "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192",
  saltHexText: "9f86d081884c7d659a2feaa0c55ad015",
};

/** Starts threads of which the first so many are lost with their first search under way. */
function losing(lost: number): { started: () => number; startThread: typeof startSolverThread } {
  let started = 0;
  return {
    started: () => started,
    startThread(place, listener) {
      started += 1;
      const thread = startSolverThread(place, listener);
      if (started > lost) return thread;
      return {
        ...thread,
        begin(search) {
          thread.begin(search);
          void thread.stop();
        },
      };
    },
  };
}

test("a thread that is lost is replaced, and its nonces are tried again", async () => {
  const { started, startThread } = losing(1);
  const solver = createSolver({ workers: 1, startThread });
  const hit = await solver.search({ ...known, from: 116, accept: { kind: "at-least", bits: 6 } });
  await solver.close();
  expect(hit.nonce).toBe("121");
  expect(started()).toBe(2);
});

test("a hit that a lost thread did not come to report is found again", async () => {
  let started = 0;
  const startThread: typeof startSolverThread = (place, listener) => {
    started += 1;
    if (started > 1) return startSolverThread(place, listener);
    const silent = startSolverThread(place, {
      onReport: (report) => void (report.hit !== null && silent.stop()),
      onLost: listener.onLost,
    });
    return silent;
  };
  const solver = createSolver({ workers: 1, startThread });
  const hit = await solver.search({ ...known, from: 116, accept: { kind: "at-least", bits: 6 } });
  expect(hit.nonce).toBe("121");
  expect(solver.waits()).toEqual([{ difficultyBits: 6, tries: 6 }]);
  await solver.close();
  expect(started).toBe(2);
});

test("a search that loses two threads is rejected, and the next one is served", async () => {
  const { started, startThread } = losing(2);
  const solver = createSolver({ workers: 1, startThread });
  const accept = { kind: "at-least", bits: 6 } as const;
  await expect(solver.search({ ...known, from: 116, accept })).rejects.toThrow(SolverError);
  expect((await solver.search({ ...known, from: 116, accept })).nonce).toBe("121");
  await solver.close();
  expect(started()).toBe(3);
});

test("a search that ends leaves its thread to others", async () => {
  const solver = createSolver({ workers: 1 });
  const abort = new AbortController();
  const endless = solver.search({
    ...known,
    accept: { kind: "at-least", bits: 512 },
    signal: abort.signal,
    onProgress: () => abort.abort(new RangeError("enough")),
  });
  await expect(endless).rejects.toThrow("enough");
  const next = await solver.search({ ...known, from: 116, accept: { kind: "at-least", bits: 6 } });
  const { tries } = solver.stats();
  await solver.close();
  expect(next.nonce).toBe("121");
  // One batch that showed progress, and one under way when it was aborted.
  expect(tries).toBeLessThanOrEqual(2 * 8 + next.tries);
});

test("progress is told in tries, speed and what is to be expected", async () => {
  const solver = createSolver({ workers: 1 });
  const told: SearchProgress[] = [];
  const accept = { kind: "at-least", bits: 6 } as const;
  const { tries } = await solver.search({
    ...known,
    from: 104,
    accept,
    onProgress: (progress) => told.push(progress),
  });
  await solver.close();
  // 18 nonces, in batches of up to eight.
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(told.map((progress) => progress.expectedTries)).toEqual(told.map(() => 64));
  expect(told.map((progress) => progress.tries)).toEqual(
    told.map((progress) => progress.tries).toSorted((a, b) => a - b),
  );
  expect(told.at(-1)?.tries).toBeLessThan(tries);
  expect(told[0]?.triesPerSecond).toBeGreaterThan(0);
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
