import { exitCodes } from "./exit-codes.ts";

// A reader that left, as `head` does, and a terminal that was closed.
const isGone = new Set(["EPIPE", "ECONNRESET", "EIO"]);

/**
 * Keeps a command running when nobody reads what it prints: the reports on disk and the exit code are the same. Output that
 * is lost for another reason, such as a full disk, makes exit code 2 of what would have been 0.
 */
export function surviveLostOutput(): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (isGone.has(error.code ?? "") || isLost) return;
      isLost = true;
      console.error(`mailproof: cannot write its output: ${error.message}`);
    });
  }
  process.once("exit", () => {
    if (isLost && process.exitCode === exitCodes.conforms) process.exitCode = exitCodes.usage;
  });
}
