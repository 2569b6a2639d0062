import { expect, test } from "vitest";
import { exactInterval, reproductionWords } from "./reproduction.ts";

// Values of Clopper and Pearson's tables, in per cent.
test.for([
  { events: 3, tries: 3, low: 29, high: 100 },
  { events: 2, tries: 3, low: 9, high: 99 },
  { events: 1, tries: 3, low: 1, high: 91 },
  { events: 0, tries: 3, low: 0, high: 71 },
  { events: 10, tries: 10, low: 69, high: 100 },
  { events: 0, tries: 10, low: 0, high: 31 },
  { events: 4, tries: 10, low: 12, high: 74 },
])("$events of $tries is between $low and $high %", ({ events, tries, low, high }) => {
  expect(exactInterval(events, tries).map((share) => Math.round(share * 100))).toEqual([low, high]);
});

test.for([
  {
    reproduced: { tried: 3, failed: 3 },
    words: "deterministic: failed all 3 times that it was judged alone (95 % interval 29 to 100 %)",
  },
  {
    reproduced: { tried: 10, failed: 4 },
    words: "racy: failed 4 of 10 times that it was judged alone (40 %; 95 % interval 12 to 74 %)",
  },
  {
    reproduced: { tried: 3, failed: 0 },
    words: "not reproduced: passed all 3 times that it was judged alone; it fails at most 71 % of the time",
  },
])("$reproduced.failed of $reproduced.tried is $words", ({ reproduced, words }) => {
  expect(reproductionWords(reproduced)).toBe(words);
});
