import type { Check } from "../../suites/support/judging/check.ts";
import type { Suite } from "../suites.ts";
import { UsageError } from "../usage-error.ts";

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
  if (unknown !== undefined)
    throw new UsageError(
      `there is no suite ${unknown}; there are ${suites.map(({ name }) => name).join(", ")}`,
    );
  const inSuites = suites
    .filter(({ name }) => suiteNames.length === 0 || suiteNames.includes(name))
    .flatMap(({ checks }) => checks);
  const isSelectedBy = (check: Check, prefix: string): boolean =>
    check.id === prefix || check.id.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  const unmatched = idPrefixes.find((prefix) => !inSuites.some((check) => isSelectedBy(check, prefix)));
  if (unmatched !== undefined)
    throw new UsageError(
      `no check is called ${unmatched}; give a check id such as REDIR-08/upper-case-host, or a requirement such as REDIR-08`,
    );
  return idPrefixes.length === 0
    ? inSuites
    : inSuites.filter((check) => idPrefixes.some((prefix) => isSelectedBy(check, prefix)));
}
