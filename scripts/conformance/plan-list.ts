import { counted } from "../../reports/format.ts";
import { type Check, requirementOf } from "../../suites/support/judging/check.ts";
import { leaveOut } from "../../suites/support/judging/left-out.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { unlockWords } from "../../suites/support/target/unlocks.ts";
import type { Catalogue } from "./catalogue.ts";

/** What a run would judge, by suite and with counts, and what it would leave out. */
export function planList(selected: readonly Check[], profile: Profile, catalogue: Catalogue): string[] {
  const { judged, leftOut } = leaveOut(selected, profile);
  const chosen = new Set(judged);
  const levelOf = ({ id }: Check): string => catalogue.requirements.get(requirementOf(id))?.level ?? "";
  const perLevel = [...Map.groupBy(judged, levelOf)].map(([level, checks]) => `${checks.length} ${level}`);
  const requirements = new Set(judged.map(({ id }) => requirementOf(id))).size;
  return [
    ...catalogue.suites.flatMap(({ name, checks }) => {
      const own = checks.filter((check) => chosen.has(check));
      if (own.length === 0) return [];
      return [`${name} (${own.length})`, ...own.map((check) => `  ${levelOf(check).padEnd(8)}  ${check.id}`)];
    }),
    ...leftOut.flatMap(({ unlock, checks }) => [
      `left out, for lack of ${unlockWords(unlock)} (${checks.length})`,
      ...checks.map((check) => `  ${levelOf(check).padEnd(8)}  ${check.id}`),
    ]),
    `${counted(judged.length, "check")} of ${counted(requirements, "requirement")} would be judged: ${perLevel.join(", ") || "none"}; nothing was sent`,
  ];
}
