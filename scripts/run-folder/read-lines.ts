import { createReadStream } from "node:fs";
import { outputError } from "./output-error.ts";

const chunkBytes = 1024 * 1024;
const lineFeed = 0x0a;

/**
 * The lines of a file, one at a time, since a journal may be longer than a string can be. What follows the last line break
 * was cut off, and is left out. Only `\n` ends a line: JSON may hold the other line breaks of Unicode as they are.
 *
 * @throws {OutputError} when the file cannot be read
 */
export async function* readLines(path: string): AsyncIterable<string> {
  /** The pieces of a line that goes on in the next chunk. */
  let begun: Buffer[] = [];
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: chunkBytes });
    for await (const chunk of chunks) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        const line = chunk.subarray(from, end);
        // Each line by itself: to decode a whole chunk and split it took ten times the processor time.
        yield (begun.length === 0 ? line : Buffer.concat([...begun, line])).toString("utf8");
        begun = [];
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
    }
  } catch (cause) {
    throw outputError(`read ${path}`, cause);
  }
}
