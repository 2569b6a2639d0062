import { expect, test } from "vitest";
import { readCaughtBy } from "../caught-by.ts";
import { allFaults } from "../fault-list.ts";
import { areas } from "./areas.ts";

test("every fault belongs to one area", () => {
  const proved: readonly string[] = Object.values(areas).flat();
  expect(new Set(proved).size).toBe(proved.length);
  expect(allFaults.map(({ id }) => id).filter((id) => !proved.includes(id.split("/", 1)[0] ?? ""))).toEqual(
    [],
  );
});

test("every fault has a check that catches it", () => {
  const caughtBy = readCaughtBy();
  expect(allFaults.map(({ id }) => id).filter((id) => Object.keys(caughtBy[id] ?? {}).length === 0)).toEqual(
    [],
  );
});
