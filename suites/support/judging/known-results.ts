import type { Profile } from "../target/profile.ts";
import { ProfileError } from "../target/profile-error.ts";
import { editDistance } from "../target/unknown-keys.ts";
import { requirementOf } from "./check.ts";

const mostSuggestions = 3;
const farthestSuggestion = 4;

/**
 * @param ids - of all checks there are, selected or not
 * @throws {ProfileError} when an entry of `known` is for a check that does not exist: it would hide nothing, and look as if
 * it did
 */
export function refuseUnknownChecks({ known }: Profile, ids: readonly string[]): void {
  const existing = new Set(ids);
  const problems = Object.keys(known)
    .filter((id) => !existing.has(id))
    .map((id) => `  known: there is no check ${JSON.stringify(id)}; ${advice(id, ids)}`);
  if (problems.length > 0) throw new ProfileError(["the profile cannot be used:", ...problems].join("\n"));
}

function advice(wrong: string, ids: readonly string[]): string {
  const near = nearestIds(wrong, ids);
  return near.length === 0 ? "`mailproof list` shows them all" : `did you mean ${near.join(" or ")}?`;
}

/** Checks of the same requirement first: a case is mistyped or renamed more often than a requirement. */
export function nearestIds(wrong: string, ids: readonly string[]): string[] {
  const upper = wrong.toUpperCase();
  const distance = (id: string): number => editDistance(id.toUpperCase(), upper);
  const isSameRequirement = (id: string): boolean => requirementOf(id) === requirementOf(upper);
  return ids
    .map((id) => ({ id, distance: distance(id), isSame: isSameRequirement(id) }))
    .filter(({ id, distance: far, isSame }) => isSame || far <= Math.min(farthestSuggestion, id.length / 2))
    .toSorted((a, b) => Number(b.isSame) - Number(a.isSame) || a.distance - b.distance)
    .slice(0, mostSuggestions)
    .map(({ id }) => id);
}
