import { Worker } from "node:worker_threads";
import type { Chunk, ChunkResult } from "./chunk-search.ts";

/** One worker thread, used for one chunk at a time. It keeps the process alive only while it computes. */
export interface SolverThread {
  /** @throws whatever ended the thread; it cannot be used again afterwards */
  run(chunk: Chunk): Promise<ChunkResult>;
  stop(): Promise<void>;
}

export function startSolverThread(): SolverThread {
  // Without the flags of this process: a test runner's loaders have no business in the worker.
  const worker = new Worker(new URL("./solver-worker.ts", import.meta.url), { execArgv: [] });
  worker.unref();
  return {
    async run(chunk) {
      const { promise, resolve, reject } = Promise.withResolvers<ChunkResult>();
      const onExit = (code: number): void => reject(new Error(`the solver thread ended with code ${code}`));
      worker.once("message", resolve).once("error", reject).once("exit", onExit);
      worker.ref();
      worker.postMessage(chunk);
      try {
        return await promise;
      } finally {
        worker.unref();
        worker.off("message", resolve).off("error", reject).off("exit", onExit);
      }
    },
    async stop() {
      await worker.terminate();
    },
  };
}
