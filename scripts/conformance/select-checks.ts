import type { Check } from "../../suites/support/judging/check.ts";
import type { Suite } from "../suites.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The checks that were asked for: whole suites by name, single checks by id or by the start of one.
 *
 * @throws {UsageError} when a name fits nothing, since a run of nothing must not look like success
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
  const fits = (check: Check, prefix: string): boolean =>
    check.id === prefix || check.id.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  const idle = idPrefixes.find((prefix) => !inSuites.some((check) => fits(check, prefix)));
  if (idle !== undefined)
    throw new UsageError(
      `no check is called ${idle}; give a check id such as REDIR-08/upper-case-host, or a requirement such as REDIR-08`,
    );
  return idPrefixes.length === 0
    ? inSuites
    : inSuites.filter((check) => idPrefixes.some((prefix) => fits(check, prefix)));
}
