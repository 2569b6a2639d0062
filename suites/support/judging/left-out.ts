import type { Profile } from "../target/profile.ts";
import { type Unlock, unlocks } from "../target/unlocks.ts";
import type { Check } from "./check.ts";

/** Checks that a profile leaves out of a run, by the key that it lacks. */
export interface LeftOut {
  readonly unlock: Unlock;
  readonly checks: readonly Check[];
}

/** Tells the checks that can be judged with a profile from those that need a key which it does not give. */
export function leaveOut(
  checks: readonly Check[],
  profile: Profile,
): { readonly judged: readonly Check[]; readonly leftOut: readonly LeftOut[] } {
  const lacks = ({ unlockedBy }: Check): boolean =>
    unlockedBy !== undefined && !unlocks[unlockedBy].isGiven(profile);
  const byUnlock = Map.groupBy(checks.filter(lacks), ({ unlockedBy }) => unlockedBy);
  return {
    judged: checks.filter((check) => !lacks(check)),
    leftOut: [...byUnlock].flatMap(([unlock, lacking]) =>
      unlock === undefined ? [] : [{ unlock, checks: lacking }],
    ),
  };
}
