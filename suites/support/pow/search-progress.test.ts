import { expect, test } from "vitest";
import type { SearchCriterion } from "./criteria.ts";
import { describeProgress, expectedTries } from "./search-progress.ts";

interface Row {
  accept: SearchCriterion;
  tries: number | null;
}

test.for<Row>([
  { accept: { kind: "at-least", bits: 10 }, tries: 1024 },
  { accept: { kind: "exactly", bits: 10 }, tries: 2048 },
  { accept: { kind: "fewer-than", bits: 1 }, tries: 2 },
  { accept: { kind: "between", min: 0, max: 0 }, tries: 2 },
  { accept: { kind: "at-least", bits: 10, counting: "nibbles" }, tries: null },
  { accept: { all: [{ kind: "at-least", bits: 1 }] }, tries: null },
])("$accept is met by one nonce in $tries", ({ accept, tries }) => {
  expect(expectedTries(accept)).toBe(tries);
});

test.for([
  {
    tries: 5000,
    rate: 100,
    mean: 1024,
    text: "5000 tries, 100.0 a second; about 10 s more on average, however long it has taken; 1 in 20 takes over 31 s more",
  },
  {
    tries: 0,
    rate: 0,
    mean: 1024,
    text: "0 tries, 0.0 a second",
  },
  {
    tries: 1,
    rate: 1,
    mean: 65_536,
    text: "1 tries, 1.0 a second; about 18 h more on average, however long it has taken; 1 in 20 takes over 55 h more",
  },
])("$tries tries at $rate a second of $mean", ({ tries, rate, mean, text }) => {
  const progress = { tries, elapsedMs: 1, triesPerSecond: rate, expectedTries: mean };
  expect(describeProgress(progress)).toBe(text);
});
