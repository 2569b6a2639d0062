import { counted } from "../../reports/format.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { unlockWords } from "../../suites/support/target/unlocks.ts";
import { checksThatNeed } from "../doctor/prerequisites.ts";
import { requirementWords } from "../doctor/render.ts";

/** What a profile lacks, a line each, with the checks that wait for it. */
export function leftToFillIn(profile: Profile, checks: readonly Check[]): string[] {
  const { judged, leftOut } = leaveOut(checks, profile);
  const people = [
    { given: profile.humans.length > 0, need: "first human", key: "humans: a test person" },
    { given: profile.humans.length > 1, need: "second human", key: "humans: a second test person" },
  ] as const;
  return [
    ...people
      .filter(({ given }) => !given)
      .map(({ need, key }) => {
        const waiting = checksThatNeed(need, judged);
        return `${key} (${counted(waiting.length, "check")}: ${requirementWords(waiting)})`;
      }),
    ...leftOut.map(
      ({ unlock, checks: waiting }) =>
        `${unlockWords(unlock)} (${counted(waiting.length, "check")}: ${requirementWords(waiting)})`,
    ),
  ];
}
