import { parentPort, workerData } from "node:worker_threads";
import { startDigestEngine } from "../kernel/digest-engine.ts";
import { createSharedBatches, type ThreadSearch } from "./shared-batches.ts";
import type { WorkerData } from "./thread-pool.ts";

const { thread, form } = workerData as WorkerData;
const batches = createSharedBatches(startDigestEngine(form), thread);

/** A thread of the solver process. It computes batches while it has searches; new searches arrive between two batches. */
parentPort?.on("message", (search: ThreadSearch) => {
  if (batches.isIdle()) setImmediate(work);
  batches.add(search);
});

function work(): void {
  parentPort?.postMessage(batches.compute());
  if (!batches.isIdle()) setImmediate(work);
}
