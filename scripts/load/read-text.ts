import { readFileSync } from "node:fs";
import { UsageError } from "../usage-error.ts";

/** @throws {UsageError} when the file cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UsageError(
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
