import { existsSync } from "node:fs";
import { printable } from "../reports/printable.ts";
import { reproductionOf } from "../reports/reproduction.ts";
import type { Run, RunCheck } from "../reports/run-format.ts";
import type { Check } from "../suites/support/judging/check.ts";
import { nearestIds, refuseUnknownChecks } from "../suites/support/judging/known-results.ts";
import type { Profile } from "../suites/support/target/profile.ts";
import { namesTarget } from "../suites/support/target/start-settings.ts";
import { type Catalogue, checkIds } from "./conformance/catalogue.ts";
import { isSameTarget } from "./conformance/failed-before.ts";
import { judgeOnce } from "./conformance/judge-once.ts";
import { loadOwnSuites } from "./conformance/load-own-suites.ts";
import { readRun } from "./conformance/read-run.ts";
import { withSenders } from "./conformance/senders.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { parseOptions } from "./parse-options.ts";
import { outcomeLine, outcomeOf, type ReplayOutcome } from "./replay/outcome.ts";
import { sideBySide } from "./replay/side-by-side.ts";
import { requirementAdvice } from "./requirement-checks.ts";
import { withTarget } from "./start-target/with-target.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof replay RUN CHECK [--target PROFILE] [--checks MODULE]…

Repeats a check of a run with fresh clients, grants and keys, and shows both results side by side. RUN is
the folder of a run, as in reports/runs/<id>, or its run.json. A failure that occurs only sometimes is tried up to ten times.
Nothing is written.

  --target PROFILE   the profile of the target (default: the one that the run was started with)
  --checks MODULE    the module that the check comes from, where it is your own

Prints FIXED, STILL FAILS, or DIFFERENT if it fails in another way. If it had not failed before: SAME, CHANGED or BROKEN.
UNDECIDED means that it could not be judged.

Exit codes: 0 no violation · 1 a violation · 2 usage or profile · 3 undecided · 5 a defect of mailproof itself`;

const mostTries = 10;

/** @returns the exit code */
export async function replay(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      target: { type: "string" },
      checks: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const [path, id, ...others] = positionals;
  if (path === undefined || id === undefined || others.length > 0)
    throw new UsageError("replay needs a run and a check, as in reports/runs/<id> REDIR-08/upper-case-host");
  const before = readRun(path);
  const recorded = recordedCheck(id, before, path);
  const catalogue = await loadOwnSuites(values.checks);
  const check = catalogue.suites.flatMap(({ checks }) => checks).find((one) => one.id === id);
  if (check === undefined)
    throw new UsageError(
      `this version of mailproof has no check ${id}; is it of a module that --checks must name?`,
    );
  const replayed = (profile: Profile, isEmbedded: boolean): Promise<number> =>
    replayOn(profile, isEmbedded, { before, recorded, check, catalogue });
  const profilePath = values.target ?? profileOf(before);
  if (profilePath !== undefined) {
    applyNetworkSettings();
    return withTarget(profilePath, (profile) => {
      refuseUnknownChecks(profile, checkIds(catalogue));
      return replayed(profile, false);
    });
  }
  if (!before.target.isEmbedded)
    throw new UsageError(
      `the run judged ${printable(before.target.authUrl)}; give its profile with --target`,
    );
  const embedded = await startEmbeddedService();
  try {
    return await replayed(embedded.profile, true);
  } finally {
    await embedded.stop();
  }
}

/** The profile that the run was started with, where it is still there. */
function profileOf({ environment: { flags } }: Run): string | undefined {
  const at = flags.indexOf("--target");
  const path = at < 0 ? flags.find((flag) => flag.startsWith("--target="))?.slice(9) : flags[at + 1];
  return path !== undefined && existsSync(path) ? path : undefined;
}

function recordedCheck(id: string, run: Run, path: string): RunCheck {
  const recorded = run.checks.find((one) => one.id === id);
  if (recorded !== undefined) return recorded;
  const ids = run.checks.map((one) => one.id);
  const ofRequirement = requirementAdvice(id, ids);
  if (ofRequirement !== undefined) throw new UsageError(ofRequirement);
  const near = nearestIds(id, ids);
  const advice = near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`;
  throw new UsageError(`${path} has no check ${id}${advice}`);
}

interface Replay {
  readonly before: Run;
  readonly recorded: RunCheck;
  readonly check: Check;
  readonly catalogue: Catalogue;
}

async function replayOn(
  profile: Profile,
  isEmbedded: boolean,
  { before, recorded, check, catalogue }: Replay,
): Promise<number> {
  // One that is started for the occasion may have other ports.
  if (!namesTarget(profile.start) && !isSameTarget(before.target, profile, isEmbedded))
    console.error(
      `mailproof: the run judged ${printable(before.target.authUrl)}; now it is ${printable(profile.auth_url)}`,
    );
  const isRacy = recorded.reproduced !== undefined && reproductionOf(recorded.reproduced) !== "deterministic";
  const checks = withSenders(
    [check],
    catalogue.suites.flatMap((suite) => suite.checks),
    before,
  );
  const interruption = listenForInterruption("ending the replay");
  try {
    let tries = 0;
    let after: Run;
    let judged: RunCheck | undefined;
    do {
      tries += 1;
      const once = await judgeOnce(profile, checks, { catalogue, isEmbedded, signal: interruption.signal });
      if (once.notJudged !== undefined) console.error(`mailproof: ${printable(once.notJudged)}`);
      after = once.run;
      judged = after.checks.find(({ id }) => id === check.id);
    } while (isRacy && judged?.verdict === "pass" && tries < mostTries && !interruption.signal.aborted);
    const outcome = outcomeOf(recorded, judged);
    const width = process.stdout.columns || 140;
    for (const line of sideBySide(
      { check: recorded, run: before },
      judged && { check: judged, run: after },
      width,
    ))
      console.log(line);
    console.log(outcomeLine(outcome, recorded, judged, tries));
    return exitCodeOf(outcome, judged);
  } finally {
    interruption.end();
  }
}

function exitCodeOf(outcome: ReplayOutcome, judged: RunCheck | undefined): number {
  if (judged?.defect) return exitCodes.defect;
  if (outcome === "UNDECIDED") return exitCodes.incomplete;
  return judged?.verdict === "fail" ? exitCodes.violated : exitCodes.conforms;
}
