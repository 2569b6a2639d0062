import { expect, test } from "vitest";
import { catchesOf, readCaughtBy } from "../faults/caught-by.ts";
import { allFaults, describedFaults } from "../faults/fault-list.ts";
import { suites } from "../suites.ts";
import { dictionaryDigest } from "./dictionary-file.ts";
import { families, lossOfConcern } from "./families.ts";
import { recognisableNodeFaults } from "./judge-fault.ts";
import { calibration, knowledge, knownFaults } from "./knowledge.ts";
import type { Symptoms } from "./symptom.ts";

function verdictsOf(symptoms: Symptoms): Record<string, string> {
  return Object.fromEntries(Object.entries(symptoms).map(([id, { verdict }]) => [id, verdict]));
}

test("the dictionary has every defect of a whole rule, as caught-by.json has it", () => {
  const caughtBy = readCaughtBy();
  const expected = [
    ...describedFaults.map(({ id, defect }) => ({ id, defect, symptoms: caughtBy[id] ?? {} })),
    ...recognisableNodeFaults.map((fault) => ({
      id: fault.id,
      defect: fault.defect,
      symptoms: catchesOf(fault),
    })),
  ].map(({ id, defect, symptoms }) => [id, { sentence: `The service ${defect}.`, symptoms }] as const);
  const held = expected.map(([id]) => {
    const { sentence, symptoms = {} } = knownFaults.faults[id] ?? {};
    return [id, { sentence, symptoms: verdictsOf(symptoms) }];
  });
  expect(Object.fromEntries(held), "run `npm run diagnosis -- --dictionary`").toEqual(
    Object.fromEntries(expected),
  );
});

test("entries are of faults, and name checks that exist", () => {
  const checks = new Set(suites.flatMap((suite) => suite.checks.map(({ id }) => id)));
  const named = knowledge.entries.flatMap(({ symptoms }) => Object.keys(symptoms));
  const faults = new Set([...allFaults, ...recognisableNodeFaults].map(({ id }) => id));
  expect(Object.keys(knownFaults.faults).filter((id) => !faults.has(id))).toEqual([]);
  expect(named.filter((id) => !checks.has(id))).toEqual([]);
});

test("every entry is of one family, and families name no other fault", () => {
  const named = families.flatMap(({ ways }) => ways.flat());
  const faults = new Set([...allFaults, ...recognisableNodeFaults].map(({ id }) => id));
  expect(Object.keys(knownFaults.faults).filter((id) => !named.includes(id))).toEqual([]);
  expect(named.filter((id) => !faults.has(id))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
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
