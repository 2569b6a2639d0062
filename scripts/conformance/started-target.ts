import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Profile } from "../../suites/support/target/profile.ts";
import { namesTarget } from "../../suites/support/target/start-settings.ts";
import type { TargetProcess } from "../../suites/support/target/target-process.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { StartError } from "../start-target/start-error.ts";
import { startTarget } from "../start-target/start-target.ts";
import { createTargetLog } from "../start-target/target-log.ts";

export const targetLogName = "target.log";

/** The target of one run, where the profile says how to start it. */
export interface OwnTarget {
  /** Undefined for a target that was there before. */
  readonly process: TargetProcess | undefined;
  /** Stops it and writes what it said to the run's folder, without secrets. */
  end(): Promise<void>;
}

/** @throws {StartError} when it does not start; what it said is in the run's folder then */
export async function startOwnTarget(
  profile: Profile,
  {
    folder,
    mask,
    signal,
  }: { readonly folder: string; readonly mask: SecretMask; readonly signal: AbortSignal },
): Promise<OwnTarget> {
  if (!namesTarget(profile.start)) return { process: undefined, end: async () => {} };
  const log = createTargetLog();
  const path = join(folder, targetLogName);
  const write = (): void => onFileSystem(`write ${path}`, () => writeFileSync(path, mask.text(log.text)));
  const startedAt = performance.now();
  try {
    const { process, stop } = await startTarget(profile, profile.start, log, signal);
    console.log(`the target is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    return {
      process,
      async end() {
        await stop();
        write();
      },
    };
  } catch (error) {
    write();
    if (signal.aborted) throw new StartError("interrupted before the target was ready", { cause: error });
    throw error;
  }
}
