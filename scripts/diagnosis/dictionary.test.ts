import { expect, test } from "vitest";
import { readCaughtBy } from "../faults/caught-by.ts";
import { describedFaults } from "../faults/fault-list.ts";
import { suites } from "../suites.ts";
import { dictionaryDigest } from "./dictionary-file.ts";
import { families, lossOfConcern } from "./families.ts";
import { calibration, knownFaults } from "./knowledge.ts";
import type { Symptoms } from "./symptom.ts";

function verdictsOf(symptoms: Symptoms): Record<string, string> {
  return Object.fromEntries(Object.entries(symptoms).map(([id, { verdict }]) => [id, verdict]));
}

test("the dictionary has every fault, as caught-by.json has it", () => {
  const caughtBy = readCaughtBy();
  const expected = describedFaults.map(({ id, defect }) => [
    id,
    { sentence: `The service ${defect}.`, symptoms: caughtBy[id] },
  ]);
  const held = Object.entries(knownFaults.faults).map(([id, { sentence, symptoms }]) => [
    id,
    { sentence, symptoms: verdictsOf(symptoms) },
  ]);
  expect(Object.fromEntries(held), "run `npm run diagnosis -- --dictionary`").toEqual(
    Object.fromEntries(expected),
  );
});

test("neighbours name checks that exist", () => {
  const checks = new Set(suites.flatMap((suite) => suite.checks.map(({ id }) => id)));
  const named = Object.values(knownFaults.neighbours).flatMap((symptoms) => Object.keys(symptoms));
  expect(named.filter((id) => !checks.has(id))).toEqual([]);
});

test("every fault is of one family, and families name no other", () => {
  const named = families.flatMap(({ faults }) => faults);
  expect(named.toSorted()).toEqual(describedFaults.map(({ id }) => id).toSorted());
  expect(new Set(families.map(({ id }) => id)).size).toBe(families.length);
});

test("every suite has a loss of its own", () => {
  const other = lossOfConcern("none of these");
  expect(suites.filter(({ name }) => lossOfConcern(name) === other).map(({ name }) => name)).toEqual([]);
});

test("what is said of a family is whole sentences", () => {
  const texts = families.flatMap(({ consequence, cause, mend }) => [consequence, cause, mend]);
  expect(texts.filter((text) => !/^[A-Z`].*\.$/u.test(text))).toEqual([]);
});

test("the confidence was fitted to this dictionary", () => {
  expect(calibration.dictionary, "run `npm run diagnosis -- --fit`").toBe(dictionaryDigest(knownFaults));
});
