import { expectedTries, triesForShare } from "../../suites/support/pow/geometric-waits.ts";
import { inWords, threeDigits } from "./quantities.ts";

/**
 * One line on how a search goes. The wait is memoryless: what is still to come does not shrink with what was tried, so the
 * line never counts down.
 */
export function describeSearch(difficultyBits: number, tries: number, elapsedMs: number): string {
  if (tries === 0) return "no hash done yet";
  const ratePerSecond = (1000 * tries) / elapsedMs;
  const mean = inWords(expectedTries(difficultyBits) / ratePerSecond);
  const most = inWords(triesForShare(difficultyBits, 0.95) / ratePerSecond);
  return (
    `${threeDigits(tries)} tried, ${threeDigits(ratePerSecond)} hashes/s; about ${mean} to go on average, ` +
    `within ${most} in 19 of 20 cases, however many were tried`
  );
}

/**
 * On a terminal one line rewritten in place; elsewhere a line every 5 s. Does not keep the process alive.
 *
 * @param triesSoFar - asked each time a line is shown
 * @returns ends it
 */
export function showSearchProgress(
  difficultyBits: number,
  triesSoFar: () => number,
  stream: NodeJS.WriteStream = process.stderr,
): () => void {
  const startedMs = performance.now();
  const clear = (): void => void (stream.isTTY && stream.write("\r\u{1B}[2K"));
  const show = (): void => {
    clear();
    const line = describeSearch(difficultyBits, triesSoFar(), performance.now() - startedMs);
    stream.write(stream.isTTY ? line : `${line}\n`);
  };
  const timer = setInterval(show, stream.isTTY ? 500 : 5000).unref();
  return () => {
    clearInterval(timer);
    clear();
  };
}
