import { expect, test } from "vitest";
import { type Check, observe } from "./check.ts";
import { startingOrder } from "./starting-order.ts";

function checkNamed(id: string, waitSeconds?: number): Check {
  return observe({
    id,
    question: "Does it start?",
    ...(waitSeconds !== undefined && { waitSeconds }),
    act: () => Promise.resolve(undefined),
    answer: () => "yes",
  });
}

const others = (count: number): Check[] =>
  Array.from({ length: count }, (_, at) => checkNamed(`TOKEN-01/${at}`));
const proofs = (count: number): Check[] =>
  Array.from({ length: count }, (_, at) => checkNamed(`POW-01/${at}`));

const kindsOf = (checks: readonly Check[]): string =>
  checks.map(({ id }) => (id.startsWith("POW") ? "p" : ".")).join("");

test("each check of proofs is followed by four others", () => {
  expect(kindsOf(startingOrder([...others(10), ...proofs(2)]))).toBe("p....p......");
});

test("checks of proofs that no others are left for follow one another", () => {
  expect(kindsOf(startingOrder([...proofs(4), ...others(5)]))).toBe("p....p.pp");
});

test("checks of registration come after all others", () => {
  const ids = startingOrder([checkNamed("DCR-03/secret"), ...others(2), checkNamed("B-DCR-04")]).map(
    ({ id }) => id,
  );
  expect(new Set(ids.slice(-2))).toEqual(new Set(["DCR-03/secret", "B-DCR-04"]));
});

test("nothing is left out or comes twice", () => {
  const checks = [
    ...others(30),
    ...proofs(7),
    checkNamed("POW-11/later", 5),
    checkNamed("CODE-03/late", 600),
  ];
  const idsOf = (list: readonly Check[]): string[] => list.map(({ id }) => id).toSorted();
  expect(idsOf(startingOrder(checks))).toEqual(idsOf(checks));
});

test("those that wait in real time come first, the longest wait at the head", () => {
  const waiting = [checkNamed("POW-11/later", 5), checkNamed("CODE-03/late", 600)];
  const ids = startingOrder([...others(3), ...proofs(1), ...waiting]).map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(["CODE-03/late", "POW-11/later", "POW-01/0"]);
});
