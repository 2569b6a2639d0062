import { parentPort, workerData } from "node:worker_threads";
import { searchChunk, type Chunk } from "./chunk-search.ts";
import { startDigestEngine } from "./kernel/digest-engine.ts";
import type { WorkerData } from "./solver-thread.ts";

const { stopped, lanes } = workerData as WorkerData;
const engine = startDigestEngine(lanes);

/** One thread of the solver: answers each chunk with its result. An exception ends the thread, and the solver hears of it. */
parentPort?.on("message", (chunk: Chunk) => {
  parentPort?.postMessage(searchChunk(chunk, engine, () => Atomics.load(stopped, 0) === 1));
});
