import { readFileSync } from "node:fs";
import { parseJsonFile } from "../../suites/support/target/json-text.ts";

/** A profile that can be used, as its file has it: with references to secrets, and without defaults. */
export function profileContent(path: string): unknown {
  return parseJsonFile(readFileSync(path));
}
