import { expect, test } from "vitest";
import { equivalents } from "../../fixtures/faults/equivalents.ts";
import { flows } from "../../fixtures/service/flows.ts";
import { allFaults } from "./fault-list.ts";

test("every edited step is a step of the service", () => {
  const known = new Set(flows.flatMap(({ steps }) => steps));
  const edits = [...allFaults, ...equivalents].flatMap((change) =>
    (change.steps ?? []).map(({ target }) => ({ id: change.id, target })),
  );
  expect(edits.filter(({ target }) => !known.has(target))).toEqual([]);
});
