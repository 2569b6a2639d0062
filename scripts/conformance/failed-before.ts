import { printable } from "../../reports/printable.ts";
import type { Run } from "../../reports/run-format.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { newestRun } from "../run-folder/newest-run.ts";
import { UsageError } from "../usage-error.ts";
import { readRun } from "./read-run.ts";

/** The checks of a run that are worth running again. */
export interface FailedBefore {
  readonly folder: string;
  readonly run: Run;
  readonly ids: readonly string[];
}

/**
 * What failed or was inconclusive, without known results, in a run.
 *
 * @param path - of the run; undefined for the newest of this target
 * @param out - where runs are written
 * @throws {UsageError} when there is no such run
 */
export async function failedBefore(
  path: string | undefined,
  out: string,
  profile: Profile,
  isEmbedded: boolean,
): Promise<FailedBefore> {
  const folder = path ?? (await newestRun(out, (target) => isSameTarget(target, profile, isEmbedded)));
  if (folder === undefined) {
    const target = isEmbedded ? "the embedded reference service" : printable(profile.auth_url);
    throw new UsageError(
      `there is no run of ${target} in ${out}; run without --rerun-failed first, or name the folder of a run behind it`,
    );
  }
  const run = readRun(folder);
  return { folder, run, ids: failedIn(run) };
}

export function failedIn({ checks }: Run): string[] {
  return checks
    .filter(({ verdict, known }) => (verdict === "fail" || verdict === "inconclusive") && known === undefined)
    .map(({ id }) => id);
}

/** The ports of the embedded service differ from run to run. */
export function isSameTarget(target: Run["target"], profile: Profile, isEmbedded: boolean): boolean {
  if (isEmbedded || target.isEmbedded) return isEmbedded && target.isEmbedded;
  const { authUrl, apiUrl, mcpUrl } = target;
  return authUrl === profile.auth_url && apiUrl === profile.api_url && mcpUrl === profile.mcp_url;
}
