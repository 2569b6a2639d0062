import { expect, test } from "vitest";
import type { DisturbancePlan } from "../../fixtures/test-servers/disturbances.ts";
import { suites } from "../suites.ts";
import { disturbedRun, type Restart } from "./disturbed-run.ts";

// Credentials that are spent by one use, and none that cost a search. `npm run bench:network` measures all checks.
const names = ["code", "refresh"];
const checks = suites.filter(({ name }) => names.includes(name)).flatMap((suite) => suite.checks);

interface Case {
  readonly name: string;
  readonly plan: DisturbancePlan;
  readonly restarts?: readonly Restart[];
}

const quiet: DisturbancePlan = { kinds: [], share: 0, seed: 1 };
const cases: readonly Case[] = [
  { name: "nothing", plan: quiet },
  { name: "gateway errors at 5 %", plan: { kinds: ["502", "503"], share: 0.05, seed: 1 } },
  {
    name: "lost answers at 5 %",
    plan: { kinds: ["reset-before", "reset-after", "truncated"], share: 0.05, seed: 2 },
  },
  { name: "limits at 1 %", plan: { kinds: ["429"], share: 0.01, seed: 3 } },
  { name: "a restart", plan: quiet, restarts: [{ afterRequests: 300, downMs: 200 }] },
];

test.for(cases)(
  "a conforming service disturbed by $name is never accused, and hardly anything stays open",
  async ({ plan, restarts }) => {
    const run = await disturbedRun(plan, checks, restarts);
    expect(run.falseFailures.map(({ id, verdict, reason }) => `${id}: ${verdict}: ${reason}`)).toEqual([]);
    expect(run.undecided.length).toBeLessThanOrEqual(Math.ceil(0.05 * checks.length));
    expect(run.disturbed > 0).toBe(plan.share > 0);
  },
);
