import type { SearchProgress } from "../../suites/support/pow/search/open-search.ts";
import { inWords, threeDigits } from "./quantities.ts";

/**
 * One line on how a search goes. The wait is memoryless: what is still to come does not shrink with what was tried, so the
 * line never counts down.
 */
export function describeSearch({ tries, triesPerSecond, expectedTries }: SearchProgress): string {
  const done = `${threeDigits(tries)} tried, ${threeDigits(triesPerSecond)} hashes/s`;
  if (expectedTries === null || tries === 0) return done;
  const [mean, most] = [1, logOfTwenty].map((times) => inWords((times * expectedTries) / triesPerSecond));
  return `${done}; about ${mean} to go on average, within ${most} in 19 of 20 cases, however many were tried`;
}

/** One search in twenty takes longer than so many times the mean. */
const logOfTwenty = Math.log(20);

/**
 * On a terminal one line rewritten in place; elsewhere a line every 5 s. Does not keep the process alive.
 *
 * @returns what takes each progress in, and ends the lines
 */
export function showSearchProgress(stream: NodeJS.WriteStream = process.stderr): {
  update(progress: SearchProgress): void;
  end(): void;
} {
  let latest: SearchProgress | undefined;
  const clear = (): void => void (stream.isTTY && stream.write("\r\u{1B}[2K"));
  const show = (): void => {
    clear();
    const line = latest === undefined ? "no hash done yet" : describeSearch(latest);
    stream.write(stream.isTTY ? line : `${line}\n`);
  };
  const timer = setInterval(show, stream.isTTY ? 500 : 5000).unref();
  return {
    update(progress) {
      latest = progress;
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}
