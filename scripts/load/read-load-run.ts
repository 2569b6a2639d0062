import { closeSync, openSync, readSync } from "node:fs";
import { LoadFormatError, type LoadRun, parseLoadRun } from "../../reports/load-format.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { UsageError } from "../usage-error.ts";

/** @throws {UsageError} when the file cannot be read or is not a load run */
export function readLoadRun(path: string): LoadRun {
  try {
    return parseLoadRun(readText(path), path);
  } catch (error) {
    if (error instanceof LoadFormatError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

// The longest that a load run of a week would need.
const mostBytes = 128 * 1024 * 1024;

/** Reads no further than the limit, so that a device without an end cannot use up the memory. */
function readText(path: string): string {
  return onFileSystem(`read ${path}`, () => {
    const file = openSync(path, "r");
    try {
      const parts: Buffer[] = [];
      for (let length = 0; ;) {
        const part = Buffer.alloc(1024 * 1024);
        const bytes = readSync(file, part);
        if (bytes === 0) return Buffer.concat(parts).toString("utf8");
        parts.push(part.subarray(0, bytes));
        length += bytes;
        if (length > mostBytes) throw new UsageError(`${path} is longer than ${mostBytes} bytes`);
      }
    } finally {
      closeSync(file);
    }
  });
}
