import { setTimeout as delay } from "node:timers/promises";
import { interruptibleSolver } from "../../suites/support/pow/interruptible-solver.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { openTarget } from "../../suites/support/target/target.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";

const intervalMs = 2000;
const gatewayStatuses = [502, 503, 504];

/** Resolves when the target is gone and has come back; at once when it comes back from being gone. */
export async function cameBack(profile: Profile, isGone: boolean, signal: AbortSignal): Promise<void> {
  let wasGone = isGone;
  for (;;) {
    await delay(intervalMs, undefined, { signal });
    const answers = await isAnswering(profile, signal);
    if (answers && wasGone) return;
    wasGone = !answers;
  }
}

/** One request, and none that makes anything. */
async function isAnswering(profile: Profile, signal: AbortSignal): Promise<boolean> {
  const solver = createSolver();
  const run = openTarget(profile, interruptibleSolver(solver, signal), signal);
  try {
    const url = `${profile.auth_url}/.well-known/oauth-authorization-server`;
    const { response } = await run.targetFor(createEvidence()).send({ method: "GET", url });
    return !gatewayStatuses.includes(response.status);
  } catch (error) {
    if (error instanceof InconclusiveError) return false;
    throw error;
  } finally {
    await run.close();
    await solver.close();
  }
}
