import { BlockedError } from "../verdict.ts";

/** What costs the target something that stays, and is counted against the profile's budget. */
export type Expense = "registrations" | "grants" | "sign_ups";

export interface Budget {
  /** @throws {BlockedError} when the profile's budget is used up */
  spend(expense: Expense): void;
  /** Counts what the profile allows beside its budget. */
  spendBeside(expense: Expense): void;
  /**
   * Allows the same again to what a disturbance spoilt. All together at most as much again as the profile allows, so that
   * a run never leaves more than twice its budget behind.
   */
  refund(expenses: readonly Expense[]): void;
  /** The same for all that was spent: a target that lost its state has nothing left of it. */
  refundAll(): void;
  readonly spent: Readonly<Record<Expense, number>>;
}

export function createBudget(limits: Readonly<Record<Expense, number>>): Budget {
  const spent: Record<Expense, number> = { registrations: 0, grants: 0, sign_ups: 0 };
  const refunded: Record<Expense, number> = { registrations: 0, grants: 0, sign_ups: 0 };
  const beside: Record<Expense, number> = { registrations: 0, grants: 0, sign_ups: 0 };
  return {
    spent,
    spend(expense) {
      if (spent[expense] - beside[expense] >= limits[expense] + refunded[expense]) {
        throw new BlockedError(
          `the budget of ${limits[expense]} ${expense.replace("_", "-")} is used up; raise budget.${expense} in the profile`,
        );
      }
      spent[expense] += 1;
    },
    spendBeside(expense) {
      spent[expense] += 1;
      beside[expense] += 1;
    },
    refund(expenses) {
      for (const expense of expenses) refunded[expense] = Math.min(limits[expense], refunded[expense] + 1);
    },
    refundAll() {
      for (const expense of ["registrations", "grants", "sign_ups"] as const)
        refunded[expense] = Math.min(limits[expense], spent[expense]);
    },
  };
}
