import type { SolverReport, SolverRequest } from "./process-messages.ts";
import { createThreadPool } from "./thread-pool.ts";

/** The solver process. solver-process.ts starts it, with the number of threads as its argument. */

// Ctrl-C reaches the whole process group, but the parent decides what happens to the searches.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
// The channel closes whenever the parent ends, even by SIGKILL.
process.once("disconnect", () => process.exit());

let reportedCpuMs = 0;

const pool = createThreadPool(Number(process.argv[2]), (searches) => {
  const { user, system } = process.cpuUsage();
  const usedCpuMs = (user + system) / 1000;
  const report: SolverReport = { cpuMs: usedCpuMs - reportedCpuMs, searches };
  reportedCpuMs = usedCpuMs;
  // Sending fails only when the parent is gone, and then this process ends as well.
  process.send?.(report, undefined, undefined, () => undefined);
});

process.on("message", (request: SolverRequest) => {
  switch (request.kind) {
    case "begin":
      return pool.begin(request.search);
    case "abandon":
      return pool.abandon(request.id);
  }
});

// The channel may have closed before the listener was added.
if (!process.connected) process.exit();
