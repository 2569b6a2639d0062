import { printableText } from "../../reports/printable.ts";
import { type Profile, parseProfile, readProfile } from "../../suites/support/target/profile.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { namesTarget, type StartSettings } from "../../suites/support/target/start-settings.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { exitCodes } from "../exit-codes.ts";
import { listenForInterruption } from "../interruption.ts";
import { completeStart } from "./profile-content.ts";
import { StartError } from "./start-error.ts";
import { startTarget } from "./start-target.ts";
import { createTargetLog } from "./target-log.ts";

/**
 * Works with the target of a profile file. Where the profile says how to start it, it runs for as long as the work takes.
 *
 * @returns the exit code of the work; that of an incomplete run, and why on standard error, when the target does not start
 * @throws {ProfileError}
 */
export async function withTarget(path: string, work: (profile: Profile) => Promise<number>): Promise<number> {
  const profile = parseProfile(await completeStart(readProfile(path), { restart: false }), path);
  const { start } = profile;
  if (!namesTarget(start)) return work(profile);
  const stop = await startOrExplain(profile, start);
  if (stop === undefined) return exitCodes.incomplete;
  try {
    return await work(profile);
  } finally {
    await stop();
  }
}

/** @returns how to stop it; undefined when it did not start */
async function startOrExplain(
  profile: Profile,
  start: StartSettings,
): Promise<(() => Promise<void>) | undefined> {
  const mask = createSecretMask();
  learnProfile(mask, profile);
  const interruption = listenForInterruption("stopping the target");
  console.log("starting the target");
  try {
    return (await startTarget(profile, start, createTargetLog(), interruption.signal)).stop;
  } catch (error) {
    if (interruption.signal.aborted) return undefined;
    if (!(error instanceof StartError)) throw error;
    console.error(`mailproof: ${printableText(mask.text(error.message))}`);
    return undefined;
  } finally {
    interruption.end();
  }
}
