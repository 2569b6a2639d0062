import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Run } from "../../reports/run-format.ts";
import { runSchema } from "../../reports/run-schema.ts";
import { journalName } from "../run-folder/journal-file.ts";
import { onFileSystem, OutputError } from "../run-folder/output-error.ts";
import { UsageError } from "../usage-error.ts";

export const runName = "run.json";

/**
 * @param path - of a run folder, or of a `run.json`
 * @throws {UsageError} saying why there is no run of this version there, and what to do
 */
export function readRun(path: string): Run {
  const file = fileOf(path);
  const content = parseJson(readText(file), file);
  const format = formatOf(content);
  if (format?.startsWith("mailproof-load"))
    throw new UsageError(`${file} is of a load run; a conformance run is needed`);
  if (format !== "mailproof-run/3")
    throw new UsageError(
      format?.startsWith("mailproof-run/")
        ? `${file} is ${format}, of another version of mailproof; this one reads mailproof-run/3`
        : `${file} is not the ${runName} of a mailproof run`,
    );
  const parsed = runSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${z.core.toDotPath(issue.path)}: `;
  throw new UsageError(`${file} is damaged: ${place}${issue?.message ?? ""}`);
}

function fileOf(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return path;
  const has = (name: string): boolean => statSync(join(path, name), { throwIfNoEntry: false }) !== undefined;
  if (has(runName)) return join(path, runName);
  if (has("load.json")) throw new UsageError(`${path} is of a load run; a conformance run is needed`);
  throw new UsageError(
    has(journalName)
      ? `${path} has a journal, but no ${runName}: mailproof report ${path} makes it`
      : `${path} is not the folder of a run: it has no ${runName}`,
  );
}

function readText(file: string): string {
  try {
    return onFileSystem(`read ${file}`, () => readFileSync(file, "utf8"));
  } catch (cause) {
    if (cause instanceof OutputError || !(cause instanceof Error)) throw cause;
    // Longer than a string can be.
    throw new UsageError(`cannot read ${file}: ${cause.message}`, { cause });
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${file} is not JSON: ${reason}`, { cause });
  }
}

function formatOf(content: unknown): string | undefined {
  const format = z.object({ format: z.string() }).safeParse(content);
  return format.data?.format;
}
