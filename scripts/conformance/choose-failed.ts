import type { Check } from "../../suites/support/judging/check.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { failedBefore } from "./failed-before.ts";
import { withSenders } from "./senders.ts";

/**
 * Those of the checks that {@link failedBefore} names, and for checks of a whole run those that sent what it is about. Prints
 * where they failed.
 *
 * @param path - of the run; empty for the runs of this target
 * @param out - where runs are written
 */
export async function chooseFailed(
  path: string,
  checks: readonly Check[],
  profile: Profile,
  { out, isEmbedded }: { readonly out: string; readonly isEmbedded: boolean },
): Promise<Check[]> {
  const selectedIds = leaveOut(checks, profile).judged.map(({ id }) => id);
  const runs = await failedBefore(path || undefined, out, selectedIds, profile, isEmbedded);
  const failing = runs.filter(({ ids }) => ids.length > 0);
  if (failing.length === 0) {
    const folders = runs.map(({ folder }) => folder).join(", ");
    console.log(`nothing failed in ${folders}, so there is nothing to run again`);
  }
  const chosen = new Set<Check>();
  for (const { folder, run, ids } of failing) {
    const failed = new Set(ids);
    const own = checks.filter(({ id }) => failed.has(id));
    console.log(
      `${own.length} of the ${ids.length} checks that failed or were inconclusive when last judged, in ${folder}`,
    );
    for (const check of withSenders(own, checks, run)) chosen.add(check);
  }
  return checks.filter((check) => chosen.has(check));
}
