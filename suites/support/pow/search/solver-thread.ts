import { Worker } from "node:worker_threads";
import type { Chunk, ChunkResult } from "./chunk-search.ts";
import { createSharedChoice, type SharedChoice } from "./kernel/digest-engine.ts";

/** One worker thread, used for one chunk at a time. It keeps the process alive only while it computes. */
export interface SolverThread {
  /**
   * @param signal - ends this chunk after its present batch, with what was tried
   * @throws whatever ended the thread; it cannot be used again afterwards
   */
  run(chunk: Chunk, signal: AbortSignal): Promise<ChunkResult>;
  stop(): Promise<void>;
}

/** What a thread starts with: memory that it shares with the one that started it. */
export interface WorkerData {
  /** 1 when nobody waits for the chunk under way. */
  stopped: Int32Array<SharedArrayBuffer>;
  lanes: SharedChoice;
}

/** One calibration serves all threads of the process. */
const lanes = createSharedChoice();

export function startSolverThread(): SolverThread {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WorkerData = { stopped, lanes };
  // Without the flags of this process: a test runner's loaders have no business in the worker.
  const worker = new Worker(new URL("./solver-worker.ts", import.meta.url), { execArgv: [], workerData });
  worker.unref();
  return {
    async run(chunk, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ChunkResult>();
      const onExit = (code: number): void => reject(new Error(`the solver thread ended with code ${code}`));
      const onAbort = (): void => void Atomics.store(stopped, 0, 1);
      worker.once("message", resolve).once("error", reject).once("exit", onExit);
      worker.ref();
      Atomics.store(stopped, 0, signal.aborted ? 1 : 0);
      signal.addEventListener("abort", onAbort);
      worker.postMessage(chunk);
      try {
        return await promise;
      } finally {
        // Before anything else runs on the thread: the signal is this chunk's alone.
        signal.removeEventListener("abort", onAbort);
        worker.unref();
        worker.off("message", resolve).off("error", reject).off("exit", onExit);
      }
    },
    async stop() {
      await worker.terminate();
    },
  };
}
