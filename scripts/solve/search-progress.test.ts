import { expect, test } from "vitest";
import { formatDuration, formatNumber } from "./quantities.ts";
import { describeSearch } from "./search-progress.ts";

test.for([
  { seconds: 0.0005, text: "0.5 ms" },
  { seconds: 0.0315, text: "31.5 ms" },
  { seconds: 1, text: "1 s" },
  { seconds: 90, text: "1.5 min" },
  { seconds: 5400, text: "1.5 h" },
  { seconds: 129_600, text: "1.5 days" },
  { seconds: 31_557_600 * 2500, text: "2,500 years" },
])("$seconds s are shown as $text", ({ seconds, text }) => {
  expect(formatDuration(seconds)).toBe(text);
});

test("very large numbers are shown with an exponent", () => {
  expect(formatNumber(2 ** 60)).toBe("1.15e+18");
});

test("the remaining time does not shrink as nonces are tried", () => {
  const describe = (tries: number): string =>
    describeSearch({ tries, elapsedMs: 1, triesPerSecond: 64, expectedTries: 1024 });
  expect(describe(64)).toBe(
    "64 tried, 64 hashes/s; from now on 16 s on average, at most 47.9 s in 19 of 20 cases",
  );
  expect(describe(6400).replace("6,400", "64")).toBe(describe(64));
});

test("without expected tries there is no remaining time", () => {
  const progress = { tries: 64, elapsedMs: 1000, triesPerSecond: 64, expectedTries: null };
  expect(describeSearch(progress)).toBe("64 tried, 64 hashes/s");
});
