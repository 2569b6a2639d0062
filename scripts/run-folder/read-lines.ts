import { createReadStream } from "node:fs";
import { outputError } from "./output-error.ts";

const chunkBytes = 1024 * 1024;

/**
 * The lines of a file, one at a time, since a journal may be longer than a string can be. What follows the last line break
 * was cut off, and is left out. Only `\n` ends a line: JSON may hold the other line breaks of Unicode as they are.
 *
 * @throws {OutputError} when the file cannot be read
 */
export async function* readLines(path: string): AsyncIterable<string> {
  let rest = "";
  try {
    for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: chunkBytes })) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (cause) {
    throw outputError(`read ${path}`, cause);
  }
}
