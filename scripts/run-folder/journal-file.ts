import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onFileSystem, outputError } from "./output-error.ts";

export const journalName = "journal.jsonl";

/** How long an entry may stay in the memory of the operating system, where only a power cut loses it. */
const syncIntervalMs = 1000;

/** A file of JSON Lines that only grows. */
export interface JournalFile {
  /**
   * The entries are with the operating system when this returns: a process that is killed then loses none of them.
   *
   * @throws {OutputError} when they cannot be written
   */
  append(...entries: readonly unknown[]): void;
  /** Waits until the disk has everything. */
  close(): void;
}

/** @throws {OutputError} when there is a journal, or none can be made */
export function createJournalFile(folder: string): JournalFile {
  const path = join(folder, journalName);
  const writing = `write ${path}`;
  const file = onFileSystem(writing, () => openSync(path, "ax"));
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  let syncFailure: unknown;

  function sync(): void {
    fdatasync(file, (error) => {
      timer = undefined;
      if (error !== null && isOpen) syncFailure = outputError(writing, error);
    });
  }

  return {
    append(...entries) {
      if (syncFailure !== undefined) throw syncFailure;
      const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      onFileSystem(writing, () => {
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      });
      timer ??= setTimeout(sync, syncIntervalMs).unref();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      try {
        onFileSystem(writing, () => fdatasyncSync(file));
      } finally {
        closeSync(file);
      }
    },
  };
}
