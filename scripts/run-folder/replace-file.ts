import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { onFileSystem } from "./output-error.ts";

/**
 * Writes a file beside its place and renames it, so that whoever reads it sees all of it or what was there before.
 *
 * @param parts - written one after the other, for a text that is longer than a string can be
 * @throws {OutputError} when it cannot be written; what was there before stays
 */
export function replaceFile(path: string, parts: Iterable<string>): void {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  onFileSystem(`write ${path}`, () => {
    try {
      writeSynced(beside, parts);
      renameSync(beside, path);
      syncFolder(dirname(path));
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  });
}

function writeSynced(path: string, parts: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part);
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is on the disk when its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
