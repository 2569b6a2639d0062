import { printable } from "../reports/printable.ts";
import type { Run, RunCheck } from "../reports/run-format.ts";
import { readRun } from "./conformance/read-run.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof known RUN [--expires DATE] [--reason TEXT] [--issue TEXT]

Prints the failures of a run as known results, ready to paste into the profile of its target. RUN is the folder of a run, as
in reports/runs/<id>, or its run.json. Results that the profile lists already are left out; entries that no longer hold are
named on standard error.

  --expires DATE   YYYY-MM-DD: from that day on the entries are errors (default: in 90 days)
  --reason TEXT    why they may fail (default: what was observed)
  --issue TEXT     where they are tracked

Exit codes: 0 · 2 usage, or no run can be read`;

const defaultDays = 90;

/** @returns the exit code */
export function known(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      expires: { type: "string", default: dateIn(defaultDays) },
      reason: { type: "string" },
      issue: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return Promise.resolve(exitCodes.conforms);
  }
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0)
    throw new UsageError("known needs the folder of one run, such as reports/runs/<id>");
  refuseDate(values.expires);
  const run = readRun(path);
  for (const problem of run.knownProblems) console.error(`mailproof: ${printable(problem)}`);
  const failed = run.checks.filter((check) => check.verdict === "fail" && check.known === undefined);
  if (failed.length === 0) console.error(`nothing failed in ${path} that the profile does not know`);
  else console.log(block(failed, run, values));
  return Promise.resolve(exitCodes.conforms);
}

interface EntryWords {
  readonly expires: string;
  readonly reason?: string;
  readonly issue?: string;
}

/** A member of a profile, without a comma behind it. */
function block(failed: readonly RunCheck[], run: Run, { expires, reason, issue }: EntryWords): string {
  const since = `fails since ${run.startedAt.slice(0, 10)}`;
  const entries = failed.map((check) => [
    check.id,
    {
      verdict: check.verdict,
      reason: reason ?? printable([since, observedWords(check)].filter(Boolean).join(": ")),
      ...(issue !== undefined && { issue }),
      expires,
    },
  ]);
  return `"known": ${JSON.stringify(Object.fromEntries(entries), undefined, 2)}`;
}

function observedWords({ expected, observed, reason = "" }: RunCheck): string {
  return expected === undefined ? reason : `expected ${expected}, observed ${observed ?? ""}`;
}

function refuseDate(text: string): void {
  const isDate = /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDate) throw new UsageError(`--expires ${text}: expected a date such as ${dateIn(defaultDays)}`);
  if (text <= dateIn(0)) throw new UsageError(`--expires ${text}: expected a day to come`);
}

function dateIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
