import { printable } from "../reports/printable.ts";
import { leaveOut } from "../suites/support/judging/left-out.ts";
import type { Profile } from "../suites/support/target/profile.ts";
import { learnProfile } from "../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../suites/support/wire/secrets.ts";
import { examine } from "./doctor/examine.ts";
import { renderFinding, renderSummary } from "./doctor/render.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { maskError } from "./error-text.ts";
import { exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { parseOptions } from "./parse-options.ts";
import { withTarget } from "./start-target/with-target.ts";
import { suites } from "./suites.ts";

export const usage = `mailproof doctor [--target PROFILE]

Tries everything that a run needs, and says what is missing, which checks that blocks and how to fix it. It leaves a few
clients, an agent and messages behind. Without --target, examines the embedded reference service.

  --target PROFILE   a profile file

Exit codes: 0 everything is there · 2 usage or profile · 3 something is missing`;

/** @returns the exit code */
export async function doctor(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: { target: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  if (values.target !== undefined) {
    applyNetworkSettings();
    const name = values.target;
    return withTarget(name, (profile) => examineTarget(profile, name));
  }
  const embedded = await startEmbeddedService();
  try {
    return await examineTarget(embedded.profile, "the embedded reference service");
  } finally {
    await embedded.stop();
  }
}

async function examineTarget(profile: Profile, name: string): Promise<number> {
  const { judged, leftOut } = leaveOut(
    suites.flatMap((suite) => suite.checks),
    profile,
  );
  const mask = createSecretMask();
  learnProfile(mask, profile);
  const interruption = listenForInterruption("stopping");
  console.log(`examining ${printable(name)}`);
  try {
    const examination = await examine(profile, {
      signal: interruption.signal,
      onExchange: (exchange) => mask.learn(exchange),
      onFinding: (finding) => console.log(mask.text(renderFinding(finding, judged))),
    });
    console.log(mask.text(renderSummary(examination, judged, leftOut)));
    const isWhole = examination.findings.every(({ state }) => state === "ok");
    return isWhole && !interruption.signal.aborted ? exitCodes.conforms : exitCodes.incomplete;
  } catch (error) {
    maskError(error, mask);
    throw error;
  } finally {
    interruption.end();
  }
}
