import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { conformance } from "../conformance.ts";

export interface SuiteRun {
  /** Of the command. */
  readonly exitCode: number;
  /** Undefined when nothing was begun. */
  readonly folder?: string;
}

/**
 * Runs `mailproof conformance`.
 *
 * @param out - where the run is written
 */
export async function runSuite(args: readonly string[], out: string): Promise<SuiteRun> {
  const before = new Set(foldersIn(out));
  const exitCode = await conformance([...args, "--out", out]);
  // Ids begin with the time.
  const name = foldersIn(out)
    .filter((one) => !before.has(one))
    .toSorted()
    .at(-1);
  return { exitCode, ...(name !== undefined && { folder: join(out, name) }) };
}

function foldersIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
