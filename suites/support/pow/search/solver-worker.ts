import { parentPort, workerData } from "node:worker_threads";
import { startDigestEngine } from "../kernel/digest-engine.ts";
import { createSharedBatches, type ThreadSearch } from "./shared-batches.ts";
import type { WorkerData } from "./thread-pool.ts";

const { thread, form } = workerData as WorkerData;
const batches = createSharedBatches(startDigestEngine(form), thread);

/** One thread of the solver: batch after batch while it has searches; new ones arrive between two batches. */
parentPort?.on("message", (search: ThreadSearch) => {
  if (batches.isIdle()) setImmediate(work);
  batches.add(search);
});

function work(): void {
  parentPort?.postMessage(batches.compute());
  if (!batches.isIdle()) setImmediate(work);
}
