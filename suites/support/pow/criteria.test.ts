import { expect, test } from "vitest";
import { expectedTries, type SearchCriterion } from "./criteria.ts";

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
])("$accept takes $tries tries on average", ({ accept, tries }) => {
  expect(expectedTries(accept)).toBe(tries);
});
