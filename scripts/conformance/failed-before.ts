import { printable } from "../../reports/printable.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { runsOf } from "../run-folder/newest-run.ts";
import { UsageError } from "../usage-error.ts";
import { readRun } from "./read-run.ts";

// A check that no run has judged would otherwise have all of them read.
const mostRuns = 50;

/** The checks of a run that are worth running again. */
export interface FailedBefore {
  readonly folder: string;
  readonly run: Run;
  readonly ids: readonly string[];
}

/**
 * What failed or was inconclusive, without known results, when it was last judged: in the run that is named, or in the runs of
 * this target, newest first, until each check has a verdict or 50 runs are read. A run that was ended early, or that judged
 * only some checks, says nothing about the others.
 *
 * @param path - of the run; undefined for those of this target
 * @param out - where runs are written
 * @param selected - ids of the checks that matter
 * @returns the runs that were read and have a last verdict, newest first; at least one
 * @throws {UsageError} when there is no such run
 */
export async function failedBefore(
  path: string | undefined,
  out: string,
  selected: readonly string[],
  profile: Profile,
  isEmbedded: boolean,
): Promise<FailedBefore[]> {
  if (path !== undefined) {
    const run = readRun(path);
    return [{ folder: path, run, ids: failedIn(run) }];
  }
  const open = new Set(selected);
  const found: FailedBefore[] = [];
  let read = 0;
  for await (const folder of runsOf(out, (target) => isSameTarget(target, profile, isEmbedded))) {
    const run = readable(folder);
    if (run === undefined) continue;
    const failed = new Set(failedIn(run));
    const decided = run.checks.filter((check) => open.has(check.id) && saysSomething(check, run));
    const ids = decided.map(({ id }) => id).filter((id) => failed.has(id));
    if (decided.length > 0 || read === 0) found.push({ folder, run, ids });
    for (const { id } of decided) open.delete(id);
    read += 1;
    if (open.size === 0 || read === mostRuns) break;
  }
  if (found.length > 0) return found;
  const target = isEmbedded ? "the embedded reference service" : printable(profile.auth_url);
  throw new UsageError(
    `there is no run of ${target} in ${out}; run without --rerun-failed first, or name the folder of a run behind it`,
  );
}

/** @returns undefined for a run of another version of mailproof, or a damaged one, which is named */
function readable(folder: string): Run | undefined {
  try {
    return readRun(folder);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(printable(`mailproof: left out: ${error.message}`));
    return undefined;
  }
}

/** A run with --read-only blocks what others judge. */
function saysSomething({ verdict }: RunCheck, { isReadOnly }: Run): boolean {
  return verdict !== "blocked" || !isReadOnly;
}

function failedIn({ checks }: Run): string[] {
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
