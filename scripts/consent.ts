import { createSolver } from "../suites/support/pow/solver.ts";
import { createEvidence } from "../suites/support/target/evidence.ts";
import { loadProfile, type Profile } from "../suites/support/target/profile.ts";
import { openTarget } from "../suites/support/target/target.ts";
import { BlockedError, InconclusiveError } from "../suites/support/verdict.ts";
import { recordConsent } from "./consent/record-consent.ts";
import type { RecordedConsent } from "./consent/recorded-steps.ts";
import { exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";

const decisions = ["approve", "deny", "read_only", "new_inbox"] as const;

type RecordedDecision = (typeof decisions)[number];

const usage = `mailproof consent record --target PROFILE --human NAME [--decision DECISION]

Opens a browser window, watches you sign in and decide as that person once, and prints the steps for the profile. It
registers a client, and never sends anything to its redirect_uri. No password is recorded.

  --target PROFILE     a profile file
  --human NAME         whose steps are recorded: a name among humans of the profile
  --decision DECISION  what you decide: ${decisions.join(", ")} (default: approve)

Exit codes: 0 recorded · 2 usage or profile · 3 nothing was recorded`;

/** @returns the exit code */
export async function consent(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      target: { type: "string" },
      human: { type: "string" },
      decision: { type: "string", default: "approve" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  if (positionals.join(" ") !== "record") throw new UsageError(`expected "consent record"\n\n${usage}`);
  const decision = decisions.find((it) => it === values.decision);
  if (decision === undefined)
    throw new UsageError(`--decision is one of ${decisions.join(", ")}, got ${values.decision}`);
  if (values.target === undefined || values.human === undefined)
    throw new UsageError(`--target and --human are needed\n\n${usage}`);
  applyNetworkSettings();
  return record(loadProfile(values.target), values.human, decision);
}

async function record(profile: Profile, name: string, decision: RecordedDecision): Promise<number> {
  const human = profile.humans.find((it) => it.name === name);
  if (human === undefined)
    throw new UsageError(
      `the profile has no human ${JSON.stringify(name)}; it has ${profile.humans.map((it) => JSON.stringify(it.name)).join(", ") || "none"}`,
    );
  const interruption = listenForInterruption("closing the browser");
  const solver = createSolver();
  const run = openTarget(profile, solver, interruption.signal);
  console.error(`sign in as ${human.consent.username} in the window that opens, and decide: ${decision}`);
  try {
    const target = run.targetFor(createEvidence());
    const recorded = await recordConsent(target, human, { headless: false });
    console.log(JSON.stringify(consentOf(recorded, human, decision), null, 2));
    console.error(`put this into humans[].consent of the profile`);
    return exitCodes.conforms;
  } catch (error) {
    if (!(error instanceof InconclusiveError || error instanceof BlockedError)) throw error;
    console.error(`mailproof: ${error.message}`);
    return exitCodes.incomplete;
  } finally {
    interruption.end();
    await run.close();
    await solver.close();
  }
}

/** The consent of a profile. Secrets are named by environment variables that have yet to be set. */
export function consentOf(
  { sign_in, decision: steps }: RecordedConsent,
  human: { readonly name: string; readonly consent: { readonly username: string } },
  decision: RecordedDecision,
): object {
  const variable = human.name.toUpperCase().replaceAll(/\W/gu, "_");
  const uses = (placeholder: string): boolean => sign_in.some(({ value }) => value === placeholder);
  return {
    driver: "browser",
    username: human.consent.username,
    ...(uses("{password}") && { password: `env:${variable}_PASSWORD` }),
    ...(uses("{totp}") && { totp: `env:${variable}_TOTP` }),
    sign_in,
    [decision]: steps,
  };
}
