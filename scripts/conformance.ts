import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderJunit } from "../reports/junit.ts";
import { printable } from "../reports/printable.ts";
import type { Run } from "../reports/run-format.ts";
import { renderTerminal } from "../reports/terminal.ts";
import type { Check } from "../suites/support/judging/check.ts";
import { refuseUnknownChecks } from "../suites/support/judging/known-results.ts";
import { loadProfile, type Profile } from "../suites/support/target/profile.ts";
import { runChecks, type RunOutcome } from "../suites/support/judging/run.ts";
import { composeRun } from "./conformance/compose-run.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { showProgress } from "./conformance/progress.ts";
import { selectChecks } from "./conformance/select-checks.ts";
import { suites } from "./suites.ts";

export const usage = `mailproof conformance [--target PROFILE] [--suite NAME]… [--check ID]… [--out DIRECTORY]

Judges a target. Without --target, starts the reference service that comes with mailproof and judges that.

  --target PROFILE   a profile file: the target's addresses, its people, its limits
  --suite NAME       only this suite; may be repeated
  --check ID         only this check, or all of a requirement (REDIR-08); may be repeated
  --out DIRECTORY    where runs are written (reports/runs)

Exit codes: 0 conforms · 1 a requirement is violated, or a known result no longer holds · 2 usage or profile ·
3 incomplete: something was inconclusive or blocked, or nothing was judged · 5 a defect of mailproof itself`;

/** @returns the exit code */
export async function conformance(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: "string" },
      suite: { type: "string", multiple: true, default: [] },
      check: { type: "string", multiple: true, default: [] },
      out: { type: "string", default: "reports/runs" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const checks = selectChecks(suites, values.suite, values.check);
  if (values.target !== undefined) {
    const profile = loadProfile(values.target);
    refuseUnknownChecks(
      profile,
      suites.flatMap((suite) => suite.checks.map(({ id }) => id)),
    );
    return judgeTarget(profile, checks, values.out, false);
  }
  const embedded = await startEmbeddedService();
  try {
    return await judgeTarget(embedded.profile, checks, values.out, true);
  } finally {
    await embedded.stop();
  }
}

async function judgeTarget(
  profile: Profile,
  checks: readonly Check[],
  out: string,
  isEmbedded: boolean,
): Promise<number> {
  const startedAt = new Date();
  const id = `${startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/gu, "")}-${randomBytes(2).toString("hex")}`;
  const folder = join(out, id);
  // A folder that cannot be written should fail now, not after minutes of judging.
  mkdirSync(folder, { recursive: true });
  console.log(
    `judging ${isEmbedded ? "the embedded reference service" : profile.auth_url} with ${checks.length} checks`,
  );

  const interruption = listenForInterruption("writing what was judged");
  const progress = showProgress(checks.length);
  const began = performance.now();
  const outcome = await runChecks(checks, profile, {
    signal: interruption.signal,
    onStart: (check) => progress.started(check.id),
    onResult: progress.finished,
  });
  progress.end();
  interruption.end();
  if (outcome.notJudged !== undefined) console.error(`mailproof: ${printable(outcome.notJudged)}`);
  for (const line of disturbanceLines(outcome.disturbances)) console.error(`mailproof: ${line}`);

  const run = composeRun(
    {
      id,
      startedAt,
      durationMs: performance.now() - began,
      isEmbedded,
      isComplete: !outcome.interrupted && outcome.notJudged === undefined,
      results: outcome.results,
      spent: outcome.spent,
      solver: outcome.solver,
    },
    profile,
    suites,
    new Date(),
  );
  writeRun(run, folder);
  if (outcome.notJudged === undefined) console.log(renderTerminal(run));
  console.log(`written: ${join(folder, "run.json")} and junit.xml`);
  return exitCodeOf(run);
}

function disturbanceLines({ lost, restarts }: RunOutcome["disturbances"]): string[] {
  return [
    ...(lost === 0
      ? []
      : [`${lost} requests got no answer, or a gateway's; what they had to do with was judged again`]),
    ...restarts.map((sign) => `the target was restarted during the run and lost its state: ${sign}`),
  ];
}

function writeRun(run: Run, folder: string): void {
  writeFileSync(join(folder, "run.json"), `${JSON.stringify(run, undefined, 1)}\n`);
  writeFileSync(join(folder, "junit.xml"), renderJunit(run));
}
