import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { onFileSystem } from "./output-error.ts";

/**
 * Writes a file beside its place and renames it, so that whoever reads it sees all of it or what was there before. What is
 * there and no file of its own, such as `/dev/null`, a pipe or a link, is written to: a rename would put a file in its place.
 *
 * @param parts - written one after the other, for a text that is longer than a string can be
 * @throws {OutputError} when it cannot be written; what was there before stays
 */
export function replaceFile(path: string, parts: Iterable<string>): void {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  onFileSystem(`write ${path}`, () => {
    if (!isReplaceable(path)) {
      writeTo(path, parts);
      return;
    }
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

/** @throws {OutputError} when {@link replaceFile} could not write it */
export function requireReplaceable(path: string): void {
  onFileSystem(`write ${path}`, () => accessSync(isReplaceable(path) ? dirname(path) : path, constants.W_OK));
}

function isReplaceable(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

function writeSynced(path: string, parts: Iterable<string>): void {
  writeTo(path, parts, fsyncSync);
}

/** @param finish - called with the open file when all is written */
function writeTo(path: string, parts: Iterable<string>, finish?: (file: number) => void): void {
  const file = openSync(path, "w");
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part);
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    }
    finish?.(file);
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
