import { expect, test } from "vitest";
import { refusals } from "./matrix.checks.ts";

// Generated tests may turn out fewer than meant, so the number is written down.
test.for([
  { endpoint: "SESS", cells: 6 },
  { endpoint: "CAPA", cells: 6 },
  { endpoint: "WKJ", cells: 5 },
  { endpoint: "APIU", cells: 6 },
  { endpoint: "JMAP", cells: 6 },
  { endpoint: "AGEN", cells: 6 },
])("$endpoint has $cells tokens to refuse", ({ endpoint, cells }) => {
  expect(refusals.filter(({ id }) => id.startsWith(`CONF-${endpoint}-`))).toHaveLength(cells);
});

test("the matrix has 35 refusals, each under an id of its own", () => {
  expect(refusals).toHaveLength(35);
  expect(new Set(refusals.map(({ id }) => id)).size).toBe(35);
});
