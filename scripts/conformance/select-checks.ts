import { type Check, requirementOf } from "../../suites/support/judging/check.ts";
import { nearestIds } from "../../suites/support/judging/known-results.ts";
import { nearestName } from "../nearest-name.ts";
import type { Suite } from "../suites.ts";
import { UsageError } from "../usage-error.ts";
import type { Catalogue } from "./catalogue.ts";

/**
 * The selected checks: whole suites by name, single checks by id, all checks of a requirement by its id.
 *
 * @throws {UsageError} when a name selects nothing, since a run of nothing must not look like success
 */
export function selectChecks(
  suites: readonly Suite[],
  suiteNames: readonly string[],
  idPrefixes: readonly string[],
): Check[] {
  const unknown = suiteNames.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    const names = suites.map(({ name }) => name);
    const near = nearestName(unknown, names);
    const advice = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
    throw new UsageError(`there is no suite ${unknown}; ${advice}`);
  }
  const inSuites = suites
    .filter(({ name }) => suiteNames.length === 0 || suiteNames.includes(name))
    .flatMap(({ checks }) => checks);
  const isSelectedBy = (check: Check, prefix: string): boolean =>
    check.id === prefix || check.id.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  const unmatched = idPrefixes.find((prefix) => !inSuites.some((check) => isSelectedBy(check, prefix)));
  if (unmatched !== undefined) {
    const owners = suites.filter(({ checks }) => checks.some((check) => isSelectedBy(check, unmatched)));
    if (owners.length > 0) {
      const names = owners.map(({ name }) => name).join(" and ");
      throw new UsageError(
        `${unmatched} is not in suite ${suiteNames.join(" or ")}; it is in ${names}: give --suite ${owners[0]?.name}, or leave out --suite`,
      );
    }
    const near = nearestIds(unmatched, [...new Set(inSuites.flatMap(({ id }) => [id, requirementOf(id)]))]);
    const advice =
      near.length > 0
        ? `did you mean ${near.join(" or ")}?`
        : "give a check id such as REDIR-08/upper-case-host, or a requirement such as REDIR-08";
    throw new UsageError(`no check is called ${unmatched}; ${advice}`);
  }
  return idPrefixes.length === 0
    ? inSuites
    : inSuites.filter((check) => idPrefixes.some((prefix) => isSelectedBy(check, prefix)));
}

/** What `--level` selects: what follows from the document by necessity and what it forbids bind like its MUST. */
const levels: Readonly<Record<string, readonly string[]>> = {
  MUST: ["MUST", "MUST*", "MUST NOT"],
  SHOULD: ["SHOULD"],
  MAY: ["MAY"],
  OBSERVE: ["OBSERVE"],
};

/**
 * Those of the checks whose requirements have one of the levels; all of them when none is named.
 *
 * @throws {UsageError} for a level that there is not, or when nothing is left
 */
export function ofLevels(
  checks: readonly Check[],
  names: readonly string[],
  { requirements }: Pick<Catalogue, "requirements">,
): readonly Check[] {
  if (names.length === 0) return checks;
  const wanted = new Set(
    names.flatMap((name) => {
      const level = levels[name.toUpperCase()];
      if (level === undefined)
        throw new UsageError(`there is no level ${name}; there are ${Object.keys(levels).join(", ")}`);
      return level;
    }),
  );
  const selected = checks.filter(({ id }) => wanted.has(requirements.get(requirementOf(id))?.level ?? ""));
  if (selected.length === 0) throw new UsageError(`no selected check has the level ${names.join(" or ")}`);
  return selected;
}
