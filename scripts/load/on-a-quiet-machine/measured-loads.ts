import type { LoadProfileRun } from "../../../reports/load-format.ts";
import type { Profile } from "../../../suites/support/profile.ts";
import { runLoad } from "../run-load.ts";
import { selectProfiles } from "../select-profiles.ts";

const attempts = 3;

/** Every attempt was measured badly: the machine is too busy to say anything. */
export class BusyMachineError extends Error {
  override readonly name = "BusyMachineError";
}

/**
 * The short form of one load profile, measured again when other programs disturbed it.
 *
 * @throws {BusyMachineError} when they always did
 */
export async function measuredLoad(target: Profile, name: string): Promise<LoadProfileRun> {
  const reasons: string[] = [];
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const run = await runLoad(target, {
      id: `${name}-${attempt}`,
      profiles: selectProfiles([name]),
      isShort: true,
      isEmbedded: true,
      signal: new AbortController().signal,
      begin: () => ({ profile: () => {}, glance: () => {}, end: () => {} }),
    });
    const [judged] = run.profiles;
    if (judged === undefined) throw new TypeError(`a run of ${name} has no result`);
    if (judged.verdict !== "invalid" || !judged.invalid.every(isOfTheMachine)) return judged;
    reasons.push(...judged.invalid);
  }
  throw new BusyMachineError(`${name} was measured badly ${attempts} times:\n${reasons.join("\n")}`);
}

/** What the advice on a quiet machine is given for; a set-up that failed or a figure that is missing is none of these. */
function isOfTheMachine(reason: string): boolean {
  return /quiet machine|when nothing else runs|use --shard|wall clock/u.test(reason);
}
