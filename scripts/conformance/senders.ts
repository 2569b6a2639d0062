import type { Run, RunCheck } from "../../reports/run-format.ts";
import type { Check } from "../../suites/support/judging/check.ts";

// A check that looks at the whole run may cite thousands of exchanges; the last ones show as much.
const mostCited = 5;

/**
 * The checks, and for those that look at the whole run the checks that sent what they failed of: alone they would look at
 * next to nothing, and pass. One that looks at what its suite has left is run with its suite.
 *
 * @param all - the checks there are
 * @param run - in which they failed
 */
export function withSenders(checks: readonly Check[], all: readonly Check[], run: Run): Check[] {
  const recorded = new Map(run.checks.map((check) => [check.id, check]));
  const wanted = new Set(checks);
  const senders = checks.flatMap(({ id, last }) => {
    const check = recorded.get(id);
    if (last === undefined || check === undefined) return [];
    return last === "before-waits" ? suiteOf(check, run) : sendersOf(check, run);
  });
  return all.filter((check) => wanted.has(check) || senders.includes(check.id));
}

function suiteOf({ suite }: RunCheck, run: Run): string[] {
  return run.checks.filter((other) => other.suite === suite).map(({ id }) => id);
}

/** Each request names the check that sent it. */
function sendersOf(check: RunCheck, run: Run): string[] {
  const subjects = check.exchanges.filter(({ role }) => role === "subject").slice(-mostCited);
  const cited = new Set([check.decisive, ...subjects.map(({ number }) => number)]);
  return run.exchanges
    .filter(({ number }) => cited.has(number))
    .flatMap(({ request }) =>
      request.headers.flatMap(([name, value]) =>
        name.toLowerCase() === "x-conformance-check" ? [value] : [],
      ),
    );
}
