import type { Check } from "../suites/support/judging/check.ts";
import { historySettings } from "../suites/histories/settings.ts";
import { leaveOut } from "../suites/support/judging/left-out.ts";
import { refuseUnknownChecks } from "../suites/support/judging/known-results.ts";
import { propertySettings } from "../suites/support/pow/property-settings.ts";
import { parseProfile, type Profile, readProfile } from "../suites/support/target/profile.ts";
import { checkIds } from "./conformance/catalogue.ts";
import { askToGoOn, canAsk, planLines } from "./conformance/confirm-run.ts";
import { chooseFailed } from "./conformance/choose-failed.ts";
import { type Judging, judgeTarget } from "./conformance/judge-target.ts";
import { keptEvidenceOption } from "./conformance/kept-evidence.ts";
import { loadOwnSuites } from "./conformance/load-own-suites.ts";
import { planList } from "./conformance/plan-list.ts";
import { chooseReporters } from "./conformance/reporters.ts";
import { ofLevels, selectChecks } from "./conformance/select-checks.ts";
import { credentialsPathOf } from "./credentials/credentials-file.ts";
import { embeddedFlags, embeddedOptions, embeddedUsage } from "./embedded-options.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { exitCodes } from "./exit-codes.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { withOptionalValues } from "./optional-value.ts";
import { parseOptions } from "./parse-options.ts";
import { completeStart } from "./start-target/profile-content.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof conformance [--target PROFILE] [--suite NAME]… [--check ID]… [--level LEVEL]…
                      [--checks MODULE]… [--rerun-failed [RUN]] [--bail [N]] [--no-repeat] [--seed N]
                      [--histories N] [--minutes N]
                      [--data DIR | --database URL [--nodes N]] [--mail-store URL …]
                      [--start COMMAND | --image NAME | --compose FILE] [--restart] [--credentials FILE]
                      [--reporter NAME[=FILE]]… [--evidence needed|full] [--list] [--out DIRECTORY]
                      [--read-only] [--yes]

Judges a target. Without --target, starts the reference service that comes with mailproof and judges that.

  --target PROFILE   a profile file: the target's addresses, its people, its limits
  --suite NAME       only this suite; may be repeated
  --check ID         only this check, or all of a requirement (REDIR-08); may be repeated
  --level LEVEL      only MUST (with MUST NOT), SHOULD, MAY or OBSERVE; may be repeated
  --checks MODULE    also judge the checks of your own in this JavaScript or TypeScript module; may be repeated
  --rerun-failed [RUN]
                     only what failed or was inconclusive in this run; without RUN, when it was last judged in the runs of
                     this target in --out. Known results are left out. Also --last-failed
  --bail [N]         start no more checks after N failures (default: 1); such a run is incomplete
  --no-repeat        do not judge failures again. By default the first failure of up to ten requirements is judged again
                     alone: three times, or ten times when the results differ, for at most a minute in all
  --seed N           seed of the random flaws in proofs of work and of the histories (default: 7914)
  --histories N      how many random histories each check of the suite histories plays (default: 6 to 16)
  --minutes N        how long each of these checks plays them, as far as budget.grants of the profile allows
${embeddedUsage}
  --start COMMAND    start the target with this command line, and stop it after the run
  --image NAME       start the target from this container image, with testcontainers
  --compose FILE     start the target from this compose file
  --restart          also restart the target, and kill it while it is writing, to see whether it keeps its state
  --credentials FILE keep clients and agents in this file for the next run, and use those already in it
  --reporter NAME    how the run is shown, instead of terminal, junit and html; may be repeated: terminal, junit, html,
                     github, markdown, sarif, har, ctrf, badge, json; NAME=FILE writes to that file
  --evidence WHICH   which exchanges run.json keeps in full: needed (default: those of claims and controls, and all of
                     checks that did not pass), or full
  --list             print what would be judged, and send nothing
  --out DIRECTORY    where runs are written (default: reports/runs)
  --read-only        send nothing that might create or change anything; judge what can be judged that way
  --yes              do not ask before the run; without a terminal, or where CI is set, nothing is asked anyway

Exit codes: 0 conforms · 1 a requirement is violated, sometimes or always, or a known result no longer holds · 2 usage or
profile, or results cannot be written · 3 incomplete: something was inconclusive or blocked, the run was interrupted, or
nothing was judged · 5 a defect of mailproof itself`;

type Values = ReturnType<typeof parse>;

function parse(args: string[]) {
  const { values } = parseOptions({
    args: withOptionalValues(args, { "--bail": "1", "--rerun-failed": "", "--last-failed": "" }),
    options: {
      target: { type: "string" },
      suite: { type: "string", multiple: true, default: [] },
      check: { type: "string", multiple: true, default: [] },
      level: { type: "string", multiple: true, default: [] },
      checks: { type: "string", multiple: true, default: [] },
      "rerun-failed": { type: "string" },
      "last-failed": { type: "string" },
      bail: { type: "string" },
      "no-repeat": { type: "boolean", default: false },
      seed: { type: "string" },
      histories: { type: "string" },
      minutes: { type: "string" },
      ...embeddedOptions,
      start: { type: "string" },
      image: { type: "string" },
      compose: { type: "string" },
      restart: { type: "boolean", default: false },
      credentials: { type: "string" },
      reporter: { type: "string", multiple: true, default: [] },
      evidence: { type: "string", default: "needed" },
      list: { type: "boolean", default: false },
      out: { type: "string", default: "reports/runs" },
      "read-only": { type: "boolean", default: false },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  return values;
}

/** @returns the exit code */
export async function conformance(args: string[]): Promise<number> {
  const values = parse(args);
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const serviceOptions = embeddedFlags(values, values.target);
  const nodes = wholeNumber("--nodes", values.nodes, 1);
  const plan = await planRun(values, args);
  return values.target === undefined
    ? judgeReferenceService(values, plan, { serviceOptions, nodes })
    : judgeTargetOf(values.target, values, plan);
}

/** What was asked for, checked before anything is started. */
interface Plan {
  readonly checks: readonly Check[];
  readonly judging: Omit<Judging, "profilePath" | "credentialsPath">;
}

async function planRun(values: Values, flags: readonly string[]): Promise<Plan> {
  const isReadOnly = values["read-only"];
  const bail = wholeNumber("--bail", values.bail, 1);
  propertySettings.seed = wholeNumber("--seed", values.seed, 0) ?? propertySettings.seed;
  historySettings.histories = wholeNumber("--histories", values.histories, 1);
  historySettings.minutes = wholeNumber("--minutes", values.minutes, 1);
  const reporters = chooseReporters(values.reporter, process.env);
  const evidence = keptEvidenceOption(values.evidence);
  const catalogue = await loadOwnSuites(values.checks);
  const named = selectChecks(catalogue.suites, values.suite, values.check);
  const selected = ofLevels(named, values.level, catalogue);
  return {
    // Checks that look at the whole run would look at next to nothing in a read-only one.
    checks: isReadOnly ? selected.filter(({ last }) => !last) : selected,
    judging: {
      catalogue,
      out: values.out,
      isReadOnly,
      reporters,
      evidence,
      flags,
      ...(bail !== undefined && { bail }),
      isRepeating: !values["no-repeat"],
    },
  };
}

async function judgeTargetOf(profilePath: string, values: Values, plan: Plan): Promise<number> {
  applyNetworkSettings();
  const { start: command, image, compose, restart } = values;
  const content = await completeStart(readProfile(profilePath), { command, image, compose, restart });
  const profile = parseProfile(content, profilePath);
  const { isReadOnly, catalogue } = plan.judging;
  refuseUnknownChecks(profile, checkIds(catalogue));
  return judge(profile, profilePath, values, plan, async (count) => {
    for (const line of planLines(profile, count, isReadOnly)) console.log(line);
    const terminal = { input: process.stdin, output: process.stdout };
    const isAsked = !values.yes && !isReadOnly && canAsk(terminal, process.env);
    return !isAsked || askToGoOn(terminal);
  });
}

async function judgeReferenceService(
  values: Values,
  plan: Plan,
  options: Parameters<typeof startEmbeddedService>[0],
): Promise<number> {
  for (const name of ["start", "image", "compose", "restart", "credentials"] as const)
    if (values[name]) throw new UsageError(`--${name} needs --target, a profile with the target's addresses`);
  const embedded = await startEmbeddedService(options);
  try {
    return await judge(embedded.profile, undefined, values, plan, (count) => {
      console.log(`judging the embedded reference service with ${count} checks`);
      return Promise.resolve(true);
    });
  } finally {
    await embedded.stop();
  }
}

/**
 * @param profilePath - none for the reference service
 * @param isAllowed - shows the user how many checks a run would judge, and asks where it has to
 */
async function judge(
  profile: Profile,
  profilePath: string | undefined,
  values: Values,
  { checks, judging }: Plan,
  isAllowed: (count: number) => Promise<boolean>,
): Promise<number> {
  const rerun = values["rerun-failed"] ?? values["last-failed"];
  const chosen =
    rerun === undefined
      ? checks
      : await chooseFailed(rerun, checks, profile, {
          out: judging.out,
          isEmbedded: profilePath === undefined,
        });
  if (values.list) {
    for (const line of planList(chosen, profile, judging.catalogue)) console.log(line);
    return exitCodes.conforms;
  }
  if (chosen.length === 0) return exitCodes.incomplete;
  if (!(await isAllowed(leaveOut(chosen, profile).judged.length))) {
    console.log("nothing was sent");
    return exitCodes.incomplete;
  }
  return judgeTarget(profile, chosen, {
    ...judging,
    credentialsPath: profilePath && (values.credentials ?? credentialsPathOf(profile)),
    ...(profilePath !== undefined && { profilePath }),
  });
}

function wholeNumber(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/u.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`${option} ${text}: expected a whole number from ${least}`);
}
