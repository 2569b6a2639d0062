import type { LoadRun } from "../../reports/load-format.ts";
import { renderLoadHtml } from "../../reports/load/html.ts";

/** What the report of a load run holds by itself, whatever the target said: names, units, the page with its charts. */
export function ownText(run: LoadRun): string {
  const silent = { ...run, profiles: run.profiles.map((each) => ({ ...each, violations: [], invalid: [] })) };
  return `${JSON.stringify(silent)}\n${renderLoadHtml(silent)}`;
}
