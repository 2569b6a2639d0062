import type { SearchProgress } from "../../suites/support/pow/search/open-search.ts";
import { formatDuration, formatNumber } from "./quantities.ts";

/**
 * One line of progress. The search is memoryless, so the remaining time does not shrink as nonces are tried, and the line
 * never counts down.
 */
export function describeSearch({ tries, triesPerSecond, expectedTries }: SearchProgress): string {
  const done = `${formatNumber(tries)} tried, ${formatNumber(triesPerSecond)} hashes/s`;
  if (expectedTries === null || tries === 0) return done;
  const [mean, most] = [1, logOfTwenty].map((times) =>
    formatDuration((times * expectedTries) / triesPerSecond),
  );
  return `${done}; from now on ${mean} on average, at most ${most} in 19 of 20 cases`;
}

/** One search in twenty takes longer than the mean times this. */
const logOfTwenty = Math.log(20);

/**
 * Shows progress: on a terminal in one line that is rewritten, elsewhere as a line every 5 s.
 */
export function showSearchProgress(stream: NodeJS.WriteStream = process.stderr): {
  update(progress: SearchProgress): void;
  end(): void;
} {
  let latest: SearchProgress | undefined;
  const clear = (): void => void (stream.isTTY && stream.write("\r\u{1B}[2K"));
  const show = (): void => {
    clear();
    const line = latest === undefined ? "starting" : describeSearch(latest);
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
