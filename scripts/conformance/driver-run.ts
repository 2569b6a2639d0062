import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget, type Target, type TargetRun } from "../../suites/support/target/target.ts";

/** The password of alice at the reference service, as profiles of these tests refer to it. */
export const passwordVariable = "DRIVERS_PASSWORD";

export interface DriverRun {
  readonly run: TargetRun;
  readonly target: Target;
  close(): Promise<void>;
}

/** A run with one person, who has this consent. */
export function openDriverRun(
  addresses: { readonly authUrl: string; readonly apiUrl: string; readonly mcpUrl: string },
  consent: object,
  { signal = new AbortController().signal, more = {} }: { signal?: AbortSignal; more?: object } = {},
): DriverRun {
  process.env[passwordVariable] = "alice-password";
  const { authUrl: auth_url, apiUrl: api_url, mcpUrl: mcp_url } = addresses;
  const profile = parseProfile(
    { auth_url, api_url, mcp_url, humans: [{ name: "alice", consent }], ...more },
    "of the test",
  );
  const solver = createSolver();
  const run = openTarget(profile, solver, signal);
  return {
    run,
    target: run.targetFor(createEvidence()),
    async close() {
      await run.close();
      await solver.close();
    },
  };
}
