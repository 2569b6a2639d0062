import { randomBytes } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { onFileSystem } from "./output-error.ts";

export interface RunFolder {
  readonly id: string;
  readonly path: string;
}

/**
 * Made before anything is judged, so that a place that cannot be used is found now and not after minutes.
 *
 * @throws {OutputError}
 */
export function createRunFolder(out: string, startedAt: Date): RunFolder {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/gu, "");
  const id = `${time}-${randomBytes(2).toString("hex")}`;
  const path = join(out, id);
  onFileSystem(`write to --out ${out}`, () => {
    makeDirectory(out);
    mkdirSync(path);
  });
  return { id, path };
}

/** With its parents. `mkdirSync` with `recursive` never returns where a file system such as /proc takes no directory. */
function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) makeDirectory(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it meanwhile.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
