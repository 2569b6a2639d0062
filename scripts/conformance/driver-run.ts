import { onTestFinished } from "vitest";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget, type Target, type TargetRun } from "../../suites/support/target/target.ts";

/** The password of alice at the reference service, as profiles of these tests refer to it. */
const passwordVariable = "DRIVERS_PASSWORD";

/** The steps of the browser driver through the pages of the reference service. */
export const browserConsent = {
  driver: "browser",
  username: "alice",
  password: `env:${passwordVariable}`,
  timeout_seconds: 60,
  sign_in: [
    { fill: { label: "User name" }, value: "{username}" },
    { fill: { label: "Password" }, value: "{password}" },
    { click: { role: "button", name: ["Anmelden", "sign in"] } },
  ],
  approve: [
    { click: { text: "Accept cookies" }, optional: true },
    { click: { role: "button", name: "Approve" } },
  ],
  deny: [{ click: { role: "button", name: "Deny" } }],
  read_only: [
    { uncheck: { id: "scope-mail.send" } },
    { click: { css: 'button[name="decision"][value="approve"]' } },
  ],
  new_inbox: [
    { check: { label: "A new inbox" } },
    { fill: { label: "Name of the new inbox" }, value: "{new_inbox}" },
    { click: { role: "button", name: "Approve" } },
  ],
};

export interface DriverRun {
  readonly run: TargetRun;
  readonly target: Target;
  close(): Promise<void>;
}

/** A run with one person, who has this consent. It is closed when the test ends. */
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
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= run.close().then(() => solver.close()));
  onTestFinished(close);
  return { run, target: run.targetFor(createEvidence()), close };
}
