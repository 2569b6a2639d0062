import { expect, test } from "vitest";
import { entriesOf, type FaultDictionary } from "./dictionary.ts";
import { explain } from "./explain.ts";
import { wayOf } from "./families.ts";
import { imaginedChecks } from "./imagined-run.ts";
import { observationsOf } from "./observations.ts";

const check = "AGENTS-11/all-owned";

/** Faults that each make the check fail with the observed value. */
function dictionaryOf(observed: Readonly<Record<string, string>>): FaultDictionary {
  const faults = Object.entries(observed).map(([id, value]) => [
    id,
    { sentence: "The service lists others.", symptoms: { [check]: { verdict: "fail", observed: value } } },
  ]);
  return {
    format: "mailproof-fault-dictionary/1",
    faults: Object.fromEntries(faults) as FaultDictionary["faults"],
    neighbours: {},
  };
}

const run = observationsOf({
  checks: imaginedChecks({ [check]: { verdict: "fail", observed: "a b c d e f g h i j" } }),
});

const better = { "agents/by-client": "a b c d e f g h i x" };
const oneOfAnotherWay = { "agents/list-of-owner": "a b c d e f g h y z" };
const threeOfAnotherWay = {
  ...oneOfAnotherWay,
  "agents/list-of-account-id": "a b c d e f g h y z",
  "agents/list-of-x-user-id": "a b c d e f g h y z",
};

test("faults of one way count together: three that fit nearly as well outweigh one that fits a little better", () => {
  const [alone] = explain(entriesOf(dictionaryOf({ ...better, ...oneOfAnotherWay })), run);
  expect(alone?.fit.entry.id).toBe("agents/by-client");
  const [together] = explain(entriesOf(dictionaryOf({ ...better, ...threeOfAnotherWay })), run);
  expect(wayOf(together?.fit.entry.id ?? "")).toBe(wayOf("agents/list-of-owner"));
});

test("what could stand in the place of an entry comes by its way, the one that was outweighed among it", () => {
  const [found] = explain(entriesOf(dictionaryOf({ ...better, ...threeOfAnotherWay })), run);
  const others = (found?.rivals ?? []).filter(
    ({ fit }) => wayOf(fit.entry.id) !== wayOf(found?.fit.entry.id ?? ""),
  );
  expect(others.map(({ fit }) => fit.entry.id)).toEqual(["agents/by-client"]);
  expect(others[0]?.margin).toBeGreaterThan(0);
});

test("a case that passed beside a failing one of its requirement says less against an entry than another requirement", () => {
  const failing = { [check]: { verdict: "fail", observed: "a b c d e f g h i j" } } as const;
  const passed = (id: string): FaultDictionary["faults"][string] => ({
    sentence: "The service lists others.",
    symptoms: { ...failing, [id]: { verdict: "fail" } },
  });
  const entries = entriesOf({
    format: "mailproof-fault-dictionary/1",
    faults: {
      "agents/by-client": passed("AGENTS-09"),
      "agents/list-cached-by-person": passed("AGENTS-11/after-consent"),
    },
    neighbours: {},
  });
  expect(explain(entries, run)[0]?.fit.entry.id).toBe("agents/list-cached-by-person");
});
