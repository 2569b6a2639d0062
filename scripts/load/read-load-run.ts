import { readFileSync } from "node:fs";
import { LoadFormatError, type LoadRun, parseLoadRun } from "../../reports/load-format.ts";
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

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UsageError(`cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
