import { requirementOf } from "../suites/support/judging/check.ts";

const mostShown = 5;

/**
 * What to give in place of a requirement where one check is asked for.
 *
 * @param ids - of the checks that there are
 * @returns undefined when none of them is of a requirement with this id
 */
export function requirementAdvice(id: string, ids: readonly string[]): string | undefined {
  const wanted = id.toUpperCase();
  const checks = ids.filter((one) => requirementOf(one) === wanted);
  if (checks.length === 0 || wanted.includes("/")) return undefined;
  const more = checks.length - mostShown;
  const names = checks.slice(0, mostShown).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `${wanted} is a requirement; give one of its checks: ${names}`;
}
