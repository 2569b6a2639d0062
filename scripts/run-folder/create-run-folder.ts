import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../../fixtures/service/make-directory.ts";
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
  // In order of time by name, for runs of one second too.
  const time = startedAt.toISOString().slice(0, 23).replaceAll(/[-:.]/gu, "");
  const id = `${time}-${randomBytes(2).toString("hex")}`;
  const path = join(out, id);
  onFileSystem(`write to --out ${out}`, () => {
    makeDirectory(out);
    mkdirSync(path);
  });
  return { id, path };
}
