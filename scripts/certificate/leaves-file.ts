import { readFileSync } from "node:fs";
import { z } from "zod";
import { onFileSystem } from "../run-folder/output-error.ts";
import { replaceFile } from "../run-folder/replace-file.ts";
import { decodeBase64 } from "./base64.ts";

export const leavesName = "leaves.json";

/**
 * What lies beside a certified `run.json`: where the salts come from, and the hash of each entry. Whoever has it can check
 * guesses of entries, so it is as private as the run.
 */
export interface LeavesFile {
  readonly seed: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

const bytes = z.string().transform((text, context) => {
  const decoded = decodeBase64(text);
  if (decoded?.length === 32) return decoded;
  context.addIssue({ code: "custom", message: "expected 32 bytes in base64url" });
  return z.NEVER;
});

const schema = z.strictObject({
  format: z.literal("mailproof-leaves/1"),
  seed: bytes,
  hashes: z.array(bytes),
});

/** @throws {OutputError} */
export function writeLeaves(path: string, { seed, hashes }: LeavesFile): void {
  const spelled = (one: Uint8Array): string => JSON.stringify(Buffer.from(one).toString("base64url"));
  const lines = hashes.map(spelled).join(",\n");
  replaceFile(path, [
    `{\n"format": "mailproof-leaves/1",\n"seed": ${spelled(seed)},\n"hashes": [\n${lines}\n]\n}\n`,
  ]);
}

/** @returns undefined for a file that is none of these */
export function readLeaves(path: string): LeavesFile | undefined {
  const text = onFileSystem(`read ${path}`, () => readFileSync(path, "utf8"));
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // Damaged or something else: its reader says what that means.
    return undefined;
  }
}
