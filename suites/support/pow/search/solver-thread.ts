import { Worker } from "node:worker_threads";
import { createSharedChoice, type SharedChoice } from "../kernel/digest-engine.ts";
import type { Report, ThreadSearch } from "./shared-batches.ts";

/** One worker thread. It keeps the process alive only while it searches. */
export interface SolverThread {
  /** Works on the search beside those that it has, until a report says that it was the last. */
  begin(search: ThreadSearch): void;
  stop(): Promise<void>;
}

export interface ThreadListener {
  onReport(report: Report): void;
  /** The thread ended, and with it what it had under way. */
  onLost(cause: unknown): void;
}

/** What a thread starts with. */
export interface WorkerData {
  /** Its place among the solver's threads. */
  thread: number;
  form: SharedChoice;
}

/** One calibration serves all threads of the process. */
const form = createSharedChoice();

export function startSolverThread(thread: number, listener: ThreadListener): SolverThread {
  const workerData: WorkerData = { thread, form };
  // Without the flags of this process: a test runner's loaders have no business in the worker.
  const worker = new Worker(new URL("./solver-worker.ts", import.meta.url), { execArgv: [], workerData });
  worker.unref();
  let searches = 0;
  let cause: unknown;
  const onMessage = (reports: Report[]): void => {
    for (const report of reports) {
      if (report.isLast && --searches === 0) worker.unref();
      listener.onReport(report);
    }
  };
  worker.on("message", onMessage);
  worker.once("error", (error) => {
    cause = error;
  });
  worker.once("exit", (code) =>
    listener.onLost(cause ?? new Error(`the solver thread ended with code ${code}`)),
  );
  return {
    begin(search) {
      if (searches++ === 0) worker.ref();
      worker.postMessage(search);
    },
    async stop() {
      // A last report would let the process end before the thread.
      worker.off("message", onMessage);
      await worker.terminate();
    },
  };
}
