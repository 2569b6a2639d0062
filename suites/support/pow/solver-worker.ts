import { parentPort } from "node:worker_threads";
import { searchChunk, type Chunk } from "./chunk-search.ts";

/** One thread of the solver: answers each chunk with its result. An exception ends the thread, and the solver hears of it. */
parentPort?.on("message", (chunk: Chunk) => {
  parentPort?.postMessage(searchChunk(chunk));
});
