import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InconclusiveError } from "../../verdict.ts";
import type { Place } from "./place.ts";

/** Writes documents to a folder whose files appear at `baseUrl`, and removes them when it is closed. */
export async function openFolder(baseUrl: string, folder: string): Promise<Place> {
  const written: string[] = [];
  return {
    async publish(name, content) {
      const url = `${baseUrl}/${name}`;
      const path = join(folder, name);
      try {
        await writeFile(path, JSON.stringify(content(url)), { flag: "wx" });
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new InconclusiveError(
          "precondition-missing",
          `a metadata document cannot be written to client_metadata.folder: ${reason}`,
          { cause },
        );
      }
      written.push(path);
      return url;
    },
    async close() {
      await Promise.all(written.map((path) => rm(path, { force: true })));
    },
  };
}
