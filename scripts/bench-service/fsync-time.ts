import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** @returns the median duration of an fsync after a write of 4 KiB to a file of the directory, in milliseconds */
export function fsyncMs(directory: string): number {
  const file = openSync(join(directory, "fsync-probe"), "w");
  const durations = Array.from({ length: 51 }, () => {
    writeSync(file, new Uint8Array(4096));
    const startedMs = performance.now();
    fsyncSync(file);
    return performance.now() - startedMs;
  });
  closeSync(file);
  return durations.toSorted((a, b) => a - b)[25] ?? Number.NaN;
}
