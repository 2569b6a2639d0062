import { afterAll, beforeAll, describe, test } from "vitest";
import { type Check, requirementOf, sentenceOf } from "./check.ts";
import { judge } from "./judge.ts";
import { createSolver, type Solver } from "../pow/solver.ts";
import { loadProfile, type Profile, ProfileError } from "../target/profile.ts";
import { openTarget, type TargetRun } from "../target/target.ts";

declare module "vitest" {
  interface TaskMeta {
    requirement?: string;
  }
}

/** Names the profile of the target, for suites that vitest runs. */
export const targetVariable = "MAILPROOF_TARGET";

/** Turns the checks of a suite into vitest tests against the target that {@link targetVariable} names. */
export function hostChecks(suite: string, checks: readonly Check[]): void {
  describe(suite, () => {
    let profile: Profile;
    let solver: Solver;
    let run: TargetRun;

    beforeAll(() => {
      const path = process.env[targetVariable];
      if (path === undefined) {
        throw new ProfileError(
          `no target: set ${targetVariable} to a profile file, such as ${targetVariable}=profile.json npx vitest run suites/${suite}`,
        );
      }
      profile = loadProfile(path);
      solver = createSolver();
      run = openTarget(profile, solver, new AbortController().signal);
    });

    afterAll(async () => {
      await run?.close();
      await solver?.close();
    });

    const ordered = checks.toSorted((a, b) => (a.waitSeconds ?? 0) - (b.waitSeconds ?? 0));
    for (const check of ordered) {
      test(check.id, { timeout: 0, meta: { requirement: requirementOf(check.id) } }, async (context) => {
        const { verdict, reason } = await judge(check, run, profile);
        if (verdict === "blocked") context.skip(reason);
        if (verdict === "fail" || verdict === "inconclusive")
          throw new Error(`${verdict}: ${sentenceOf(check)}\n${reason ?? ""}`);
        if (reason !== undefined) await context.annotate(reason, verdict);
      });
    }
  });
}
