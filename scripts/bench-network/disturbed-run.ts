import type { DisturbancePlan } from "../../fixtures/test-servers/disturbances.ts";
import { startDisturbedService } from "../../fixtures/test-servers/disturbed-service.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { embeddedProfile } from "../embedded-service.ts";

/** One run against the conforming reference service behind a disturbed network. */
export interface DisturbedRun {
  readonly checks: number;
  /** Verdicts that accuse the service, which conforms. */
  readonly falseFailures: readonly CheckResult[];
  /** Inconclusive or blocked. */
  readonly undecided: readonly CheckResult[];
  readonly disturbed: number;
  readonly requests: number;
  readonly durationMs: number;
}

/** A restart of the service when so many requests have been received. */
export interface Restart {
  readonly afterRequests: number;
  readonly downMs: number;
}

// Few bits: the network is measured here, not the search.
const difficultyBits = 3;

/** Judges the reference service through a disturbing proxy, in this process. */
export async function disturbedRun(
  plan: DisturbancePlan,
  checks: readonly Check[],
  restarts: readonly Restart[] = [],
): Promise<DisturbedRun> {
  const service = await startDisturbedService(plan, { pow: { difficultyBits } });
  const pending = [...restarts];
  let restarting: Promise<void> = Promise.resolve();
  const watch = setInterval(() => {
    const next = pending[0];
    if (next === undefined || service.disturber.received < next.afterRequests) return;
    pending.shift();
    restarting = restarting.then(() => service.restart(next.downMs));
  }, 10);
  const startedAt = performance.now();
  try {
    const profile = embeddedProfile(service);
    const { judged } = leaveOut(checks, profile);
    const { results } = await runChecks(judged, profile);
    return {
      checks: judged.length,
      falseFailures: results.filter(({ verdict }) => verdict === "fail" || verdict === "warn"),
      undecided: results.filter(({ verdict }) => verdict === "inconclusive" || verdict === "blocked"),
      disturbed: Object.values(service.disturber.counts).reduce((sum, count) => sum + count, 0),
      requests: service.disturber.received,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    clearInterval(watch);
    await restarting;
    await service.close();
  }
}
