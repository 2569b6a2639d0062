import { expect, test } from "vitest";
import { kernelFlags } from "./kernel/v8-flags.ts";
import type { LimitedSearch } from "./search/process-messages.ts";
import { startSolverProcess, type SolverProcess } from "./search/solver-process.ts";
import { createSolver, SolverError } from "./solver.ts";

const known = {
  jti: "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192",
  saltHexText: "9f86d081884c7d659a2feaa0c55ad015",
};
const sixBits = { kind: "at-least", bits: 6 } as const;
const unreachable = { kind: "at-least", bits: 513 } as const;

interface Starts {
  startProcess: typeof startSolverProcess;
  /** Of each process, in order. */
  flags: (readonly string[])[];
  /** That each process received, in order. */
  searches: LimitedSearch[][];
}

/** Starts each process with the next of these, and normally once none is left. */
function starting(...starts: (typeof startSolverProcess)[]): Starts {
  const flags: Starts["flags"] = [];
  const searches: Starts["searches"] = [];
  return {
    flags,
    searches,
    startProcess(options, listener) {
      flags.push(options.flags);
      const begun: LimitedSearch[] = [];
      searches.push(begun);
      const started = (starts.shift() ?? startSolverProcess)(options, listener);
      return {
        ...started,
        send(request) {
          if (request.kind === "begin") begun.push(request.search);
          started.send(request);
        },
      };
    },
  };
}

function kill({ pid }: Pick<SolverProcess, "pid">): void {
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

/**
 * Killed once it has decided a nonce, which its first report need not say: the thread may be between two batches then. What it
 * does before the signal arrives is lost with it.
 */
const killedAtWork: typeof startSolverProcess = (options, listener) => {
  let isKilled = false;
  const started = startSolverProcess(options, {
    ...listener,
    onReport(report) {
      if (isKilled) return;
      listener.onReport(report);
      isKilled = report.searches.some(({ decidedBelow }) => decidedBelow > 0);
      if (isKilled) kill(started);
    },
  });
  return started;
};

/** Killed between finding a hit and reporting it. */
const killedBeforeHit: typeof startSolverProcess = (options, listener) => {
  const started = startSolverProcess(options, {
    ...listener,
    onReport(report) {
      if (report.searches.some(({ outcome }) => outcome?.kind === "hit")) kill(started);
      else listener.onReport(report);
    },
  });
  return started;
};

const withUnknownFlag: typeof startSolverProcess = (options, listener) =>
  startSolverProcess({ ...options, flags: ["--no-such-flag"] }, listener);

const stopped: typeof startSolverProcess = (options, listener) => {
  const started = startSolverProcess({ ...options, silenceSeconds: 1 }, listener);
  if (started.pid !== undefined) process.kill(started.pid, "SIGSTOP");
  return started;
};

/** Up to three processes start in a test, on a machine that may be busy. */
test("a process killed during a search is replaced by one without flags, which finds the same nonce", async () => {
  const { flags, startProcess } = starting(killedAtWork);
  const solver = createSolver({ workers: 2, startProcess });
  const hit = await solver.search({ ...known, from: 92, accept: sixBits });
  await solver.close();
  expect(hit.nonce).toBe("121");
  expect(flags.slice(1)).toEqual([[]]);
});

test("after a loss a search continues from the first undecided nonce, up to its limit", async () => {
  const { searches, startProcess } = starting(killedAtWork);
  const solver = createSolver({ workers: 1, startProcess });
  const search = solver.search({ ...known, from: 5, accept: unreachable, limitTries: 20 });
  await expect(search).rejects.toThrow("none of 20 nonces");
  await solver.close();
  const [, [rest]] = searches as [LimitedSearch[], [LimitedSearch]];
  expect(rest.from).toBeGreaterThan(5n);
  expect(rest.from + BigInt(rest.limitTries)).toBe(25n);
});

test("a hit that a lost process did not report is found again", async () => {
  const { flags, startProcess } = starting(killedBeforeHit);
  const solver = createSolver({ workers: 1, startProcess });
  const hit = await solver.search({ ...known, from: 116, accept: sixBits });
  expect(hit.nonce).toBe("121");
  expect(solver.waits()).toEqual([{ difficultyBits: 6, tries: 6 }]);
  await solver.close();
  expect(flags).toHaveLength(2);
});

test.for([
  { why: "V8 does not know its flags", start: withUnknownFlag },
  { why: "it sends no report", start: stopped },
])("a process that fails to start is replaced by one without flags: $why", async ({ start }) => {
  const { flags, startProcess } = starting(start);
  const solver = createSolver({ workers: 1, startProcess });
  const hit = await solver.search({ ...known, from: 116, accept: sixBits });
  await solver.close();
  expect(hit.nonce).toBe("121");
  expect(flags.slice(1)).toEqual([[]]);
});

test("a search that loses two processes is rejected, and the next search succeeds", async () => {
  const { flags, startProcess } = starting(withUnknownFlag, withUnknownFlag);
  const solver = createSolver({ workers: 1, startProcess });
  const lost = solver.search({ ...known, from: 116, accept: sixBits });
  await expect(lost).rejects.toThrow(SolverError);
  await expect(lost).rejects.toThrow("the solver process ended with exit code 9");
  expect((await solver.search({ ...known, from: 116, accept: sixBits })).nonce).toBe("121");
  await solver.close();
  expect(flags).toHaveLength(3);
});

test("a process lost while idle is replaced by one with the same flags", async () => {
  const { promise: lost, resolve: onLost } = Promise.withResolvers<void>();
  const { flags, startProcess } = starting((options, listener) => {
    const started = startSolverProcess(options, {
      ...listener,
      onReport(report) {
        listener.onReport(report);
        kill(started);
      },
      onLost(cause) {
        listener.onLost(cause);
        onLost();
      },
    });
    return started;
  });
  const solver = createSolver({ workers: 1, startProcess });
  const easy = { ...known, accept: { kind: "at-least", bits: 0 } } as const;
  await solver.search(easy);
  await lost;
  await solver.search(easy);
  await solver.close();
  expect(flags).toEqual([kernelFlags, kernelFlags]);
});
