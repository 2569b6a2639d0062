import { expect, test } from "vitest";
import { equivalents } from "../../fixtures/faults/equivalents.ts";
import { steps } from "../../fixtures/service/flows.ts";
import { powRules } from "../../fixtures/service/pow/rules.ts";
import { checksInReach, powChecksAtJmap } from "./fault-reach.ts";
import { resultsWith } from "./fault-run.ts";
import { allFaults } from "./fault-list.ts";
import { suites } from "../suites.ts";

const ofPow = suites
  .filter(({ name }) => name === "pow" || name === "sessions")
  .flatMap(({ checks }) => checks);

test("what is left out of a fault's run is what its rules cannot reach", { timeout: 300_000 }, async () => {
  const results = await resultsWith({ configuration: { pow: { difficultyBits: 1 } } }, ofPow);
  const meets = (place: RegExp) =>
    results
      .filter(({ exchanges }) => exchanges.some(({ exchange }) => place.test(exchange.request.url)))
      .map(({ id }) => id);
  const pow = new Set(suites.find(({ name }) => name === "pow")?.checks.map(({ id }) => id));
  expect(meets(/\/jmap\b/u).filter((id) => pow.has(id))).toEqual(powChecksAtJmap);
  expect(meets(/\/oauth\/(?!register)/u).filter((id) => pow.has(id))).toEqual([]);
});

test("every edited step is a step of the service", () => {
  const known = new Set(Object.values(steps).flatMap((ofPart) => [...ofPart]));
  const edits = [...allFaults, ...equivalents].flatMap((change) =>
    (change.steps ?? []).map(({ target }) => ({ id: change.id, target })),
  );
  expect(edits.filter(({ target }) => !known.has(target))).toEqual([]);
});

test("a defect of the proof-of-work path is judged by every check", () => {
  expect(checksInReach({ rules: { leadingZeroBits: powRules.leadingZeroBits } }, ofPow)).toHaveLength(
    ofPow.length,
  );
});
