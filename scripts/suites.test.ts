import { describe, expect, test } from "vitest";
import broadFaults from "../fixtures/faults/broad-faults.json" with { type: "json" };
import { requirements } from "../fixtures/spec/requirements.ts";
import { requirementOf } from "../suites/support/judging/check.ts";
import { readCaughtBy } from "./faults/caught-by.ts";
import { allFaults } from "./faults/fault-list.ts";
import { suites } from "./suites.ts";

const checks = suites.flatMap((suite) => suite.checks);
const ids = checks.map(({ id }) => id);

test("no two checks share an id", () => {
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test("every check decides a requirement that exists", () => {
  expect(ids.filter((id) => !requirements.has(requirementOf(id)))).toEqual([]);
});

test("every fault belongs to a suite", () => {
  const names = suites.map(({ name }) => name);
  expect(
    allFaults.filter(({ id }) => !names.includes(id.split("/", 1)[0] ?? "")).map(({ id }) => id),
  ).toEqual([]);
});

test("caught-by.json names every fault, by checks that exist, and each fails at least one check", () => {
  const caughtBy = readCaughtBy();
  expect(Object.keys(caughtBy)).toEqual(allFaults.map(({ id }) => id).toSorted());
  expect(
    Object.values(caughtBy)
      .flatMap(Object.keys)
      .filter((id) => !ids.includes(id)),
  ).toEqual([]);
  expect(
    allFaults.filter(({ id }) => Object.keys(caughtBy[id] ?? {}).length === 0).map(({ id }) => id),
  ).toEqual([]);
});

describe("one defect, few failures", () => {
  const failures = (id: string): number =>
    Object.values(readCaughtBy()[id] ?? {}).filter((how) => how === "fail").length;

  test("the median fault fails at most three checks", () => {
    const counts = allFaults.map(({ id }) => failures(id)).toSorted((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(3);
  });

  test("only the listed faults fail more than 25 checks, each with its reason", () => {
    const broad = allFaults.filter(({ id }) => failures(id) > 25).map(({ id }) => id);
    expect(broad.toSorted()).toEqual(Object.keys(broadFaults).toSorted());
  });
});

test.for(["pkce", "redirect-uri", "resource", "refresh", "account-header", "scope", "pow"])(
  "%s has three faults or more",
  (suite) => {
    expect(allFaults.filter(({ id }) => id.startsWith(`${suite}/`)).length).toBeGreaterThanOrEqual(3);
  },
);

test.for(suites)("$name has a fault and checks", ({ name, checks: own }) => {
  expect(allFaults.filter(({ id }) => id.startsWith(`${name}/`))).not.toEqual([]);
  expect(own).not.toEqual([]);
});
