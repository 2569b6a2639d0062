import { expect, test } from "vitest";
import { BlockedError } from "../verdict.ts";
import { type Budget, createBudget } from "./budget.ts";

const limits = { registrations: 2, grants: 5, sign_ups: 1 };

/** How often it can still be spent. */
function left(budget: Budget, expense: keyof typeof limits): number {
  for (let count = 0; ; count += 1) {
    try {
      budget.spend(expense);
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error;
      return count;
    }
  }
}

test("a budget can be spent once", () => {
  expect(left(createBudget(limits), "registrations")).toBe(2);
});

test("what a disturbance spoilt can be spent again, up to as much again", () => {
  const budget = createBudget(limits);
  budget.spend("registrations");
  budget.refund(["registrations"]);
  expect(left(budget, "registrations")).toBe(2);
  budget.refund(["registrations", "registrations", "registrations"]);
  expect(left(budget, "registrations")).toBe(1);
});

test("a target that lost its state has nothing left of what was spent", () => {
  const budget = createBudget(limits);
  budget.spend("grants");
  budget.spend("grants");
  budget.spend("sign_ups");
  budget.refundAll();
  expect(left(budget, "grants")).toBe(5);
  expect(left(budget, "sign_ups")).toBe(1);
  expect(left(budget, "registrations")).toBe(2);
});

test("what is allowed beside the budget is counted, and leaves the budget as it is", () => {
  const budget = createBudget({ registrations: 1, grants: 0, sign_ups: 0 });
  budget.spendBeside("registrations");
  budget.spend("registrations");
  expect(budget.spent.registrations).toBe(2);
  expect(() => budget.spend("registrations")).toThrow(/budget of 1 registrations/u);
});
