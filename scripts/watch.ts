import type { Run } from "../reports/run-format.ts";
import type { Check } from "../suites/support/judging/check.ts";
import { leaveOut } from "../suites/support/judging/left-out.ts";
import { refuseUnknownChecks } from "../suites/support/judging/known-results.ts";
import type { Profile } from "../suites/support/target/profile.ts";
import { type Catalogue, checkIds } from "./conformance/catalogue.ts";
import { askToGoOn, canAsk, planLines } from "./conformance/confirm-run.ts";
import { isSameTarget } from "./conformance/failed-before.ts";
import { loadOwnSuites } from "./conformance/load-own-suites.ts";
import { readRun } from "./conformance/read-run.ts";
import { ofLevels, selectChecks } from "./conformance/select-checks.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { parseOptions } from "./parse-options.ts";
import { newestRun } from "./run-folder/newest-run.ts";
import { withTarget } from "./start-target/with-target.ts";
import { UsageError } from "./usage-error.ts";
import { watchTarget } from "./watch/watch-target.ts";

export const usage = `mailproof watch [--target PROFILE] [--on DIRECTORY]… [--suite NAME]… [--check ID]… [--level LEVEL]…
                [--checks MODULE]… [--out DIRECTORY] [--yes]

Judges a target in rounds while you work on it. The first round judges what failed in the newest run of the target, or
everything selected if nothing did. Another round follows each key press, each change of a file, and each return of the
target: it judges what fails, or the same checks again if nothing does. It shows what changed, and writes no files.

  --target PROFILE   a profile file; without it, the reference service that comes with mailproof
  --on DIRECTORY     a folder whose changes start a round, except node_modules and .git; may be repeated
  --suite NAME, --check ID, --level LEVEL, --checks MODULE
                     what may be judged, as for mailproof conformance
  --out DIRECTORY    where runs are (default: reports/runs)
  --yes              do not ask before the first round

Keys, on a terminal: a everything, f what fails, r or Enter the same again, t ids that contain a text, p a suite, h help,
q or Ctrl-C quit. A key press ends the current round. Each round cleans up at its end, as a run does.

Exit codes, by the last verdict of each check: 0 nothing fails · 1 a requirement is violated · 2 usage or profile · 3
something is undecided, or nothing was judged · 5 a defect of mailproof itself`;

/** @returns the exit code */
export async function watch(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      target: { type: "string" },
      on: { type: "string", multiple: true, default: [] },
      suite: { type: "string", multiple: true, default: [] },
      check: { type: "string", multiple: true, default: [] },
      level: { type: "string", multiple: true, default: [] },
      checks: { type: "string", multiple: true, default: [] },
      out: { type: "string", default: "reports/runs" },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const catalogue = await loadOwnSuites(values.checks);
  const named = selectChecks(catalogue.suites, values.suite, values.check);
  const selected = ofLevels(named, values.level, catalogue);
  const { on, out } = values;
  if (values.target !== undefined) {
    applyNetworkSettings();
    return withTarget(values.target, async (profile) => {
      refuseUnknownChecks(profile, checkIds(catalogue));
      const { judged: checks } = leaveOut(selected, profile);
      for (const line of planLines(profile, checks.length, false)) console.log(line);
      const terminal = { input: process.stdin, output: process.stdout };
      if (!values.yes && canAsk(terminal, process.env) && !(await askToGoOn(terminal))) {
        console.log("nothing was sent");
        return exitCodes.incomplete;
      }
      return watchUntilEnd(profile, checks, { catalogue, on, out, isEmbedded: false });
    });
  }
  const embedded = await startEmbeddedService();
  try {
    return await watchUntilEnd(embedded.profile, selected, { catalogue, on, out, isEmbedded: true });
  } finally {
    await embedded.stop();
  }
}

interface Watched {
  readonly catalogue: Catalogue;
  readonly on: readonly string[];
  readonly out: string;
  readonly isEmbedded: boolean;
}

async function watchUntilEnd(profile: Profile, checks: readonly Check[], watched: Watched): Promise<number> {
  const { out, isEmbedded } = watched;
  const newest = await readNewest(out, profile, isEmbedded);
  const interruption = listenForInterruption("ending the round");
  try {
    const verdicts = await watchTarget({
      ...watched,
      profile,
      checks,
      ...(newest && { newest }),
      signal: interruption.signal,
    });
    return exitCodeOf({ checks: verdicts, knownProblems: [], isComplete: true });
  } finally {
    interruption.end();
  }
}

async function readNewest(out: string, profile: Profile, isEmbedded: boolean): Promise<Run | undefined> {
  const folder = await newestRun(out, (target) => isSameTarget(target, profile, isEmbedded));
  if (folder === undefined) return undefined;
  try {
    return readRun(folder);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // Of another version: everything is judged then.
    console.error(`mailproof: ${error.message}`);
    return undefined;
  }
}
