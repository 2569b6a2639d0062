import { beforeAll, describe, expect, test } from "vitest";
import type { JournalEntry } from "../../reports/journal-format.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import { printable } from "../../reports/printable.ts";
import { requirementOf } from "../../suites/support/judging/check.ts";
import { leaveOut, type LeftOut } from "../../suites/support/judging/left-out.ts";
import { refuseUnknownChecks } from "../../suites/support/judging/known-results.ts";
import { type CheckRun, openCheckRun } from "../../suites/support/judging/run.ts";
import { loadProfile, type Profile } from "../../suites/support/target/profile.ts";
import { ProfileError } from "../../suites/support/target/profile-error.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { unlockWords } from "../../suites/support/target/unlocks.ts";
import { createSecretMask, type SecretMask } from "../../suites/support/wire/secrets.ts";
import { applyNetworkSettings } from "../network-settings.ts";
import { suites } from "../suites.ts";
import { catalogue, checkIds } from "./catalogue.ts";
import { composeRun } from "./compose-run.ts";
import { recordRun } from "./record-run.ts";
import { runJournal } from "./run-journal.ts";

/** Names the profile of the target, for suites that vitest runs. */
export const targetVariable = "MAILPROOF_TARGET";

/** What the exit code of a run follows from, carried from vitest's worker to its reporter. */
export type HostedRun = Pick<Run, "checks" | "knownProblems" | "isComplete">;

declare module "vitest" {
  interface TaskMeta {
    requirement?: string;
    /** Of the suite of a `suite.ts`. */
    hostedRun?: HostedRun;
  }
}

interface Host {
  readonly profile: Profile;
  readonly run: CheckRun;
  readonly mask: SecretMask;
}

// All suites share one worker and so this module: they judge one target with the same clients and grants. It is never
// closed, since no suite knows that it is the last; vitest ends the worker.
let host: Host | undefined;

function openHost(suite: string): Host {
  const path = process.env[targetVariable];
  if (path === undefined) {
    throw new ProfileError(
      `no target: set ${targetVariable} to a profile file, as in ${targetVariable}=profile.json npx vitest run --project conformance suites/${suite}`,
    );
  }
  applyNetworkSettings();
  const profile = loadProfile(path);
  refuseUnknownChecks(profile, checkIds(catalogue));
  const mask = createSecretMask();
  learnProfile(mask, profile);
  return { profile, run: openCheckRun(profile, { onExchange: (exchange) => mask.learn(exchange) }), mask };
}

/** Makes vitest tests of a suite's checks, with the verdicts and known results of the command line. */
export function hostSuite(name: string): void {
  const checks = suites.find((suite) => suite.name === name)?.checks;
  if (checks === undefined) throw new TypeError(`scripts/suites.ts lists no suite ${name}`);

  describe(name, () => {
    let judged: ReadonlyMap<string, RunCheck>;
    let knownProblems: readonly string[];
    let leftOut: readonly LeftOut[];

    // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures that a hook uses from this pattern
    beforeAll(async ({}, suite) => {
      host ??= openHost(name);
      const chosen = new Set(suite.tasks.filter(({ mode }) => mode === "run").map((task) => task.name));
      const { judged: selected, leftOut: lacking } = leaveOut(
        checks.filter(({ id }) => chosen.has(id)),
        host.profile,
      );
      leftOut = lacking;
      const outcome = await host.run.judge(selected);
      if (outcome.notJudged !== undefined) {
        suite.meta.hostedRun = { checks: [], knownProblems: [], isComplete: false };
        throw new Error(printable(host.mask.text(outcome.notJudged)));
      }
      const entries: JournalEntry[] = [];
      const facts = {
        id: `vitest-${name}`,
        startedAt: new Date(),
        isEmbedded: false,
        catalogue,
        checks: selected,
        leftOut,
      };
      const recorder = recordRun(facts, host.profile, host.mask, (...more) => void entries.push(...more));
      for (const result of outcome.results) recorder.record(result, outcome);
      recorder.end(outcome, outcome);
      const run = composeRun(runJournal(entries));
      judged = new Map(run.checks.map((check) => [check.id, check]));
      knownProblems = run.knownProblems;
      suite.meta.hostedRun = { checks: run.checks, knownProblems, isComplete: run.isComplete };
    }, 0);

    for (const { id } of checks) {
      test(id, { timeout: 0, meta: { requirement: requirementOf(id) } }, async (context) => {
        const lacking = leftOut.find((entry) => entry.checks.some((check) => check.id === id));
        if (lacking !== undefined) context.skip(`needs ${unlockWords(lacking.unlock)}`);
        const check = judged.get(id);
        expect(check, `${id} was judged`).toBeDefined();
        const problem = knownProblems.find((text) => text.startsWith(`${id}:`));
        if (problem !== undefined) throw new Error(problem);
        if (check?.known !== undefined) return void (await context.annotate(check.known, "known"));
        const reason = check?.reason && printable(check.reason);
        if (check?.verdict === "blocked") context.skip(reason);
        if (check?.verdict === "fail" || check?.verdict === "inconclusive")
          throw new Error(`${check.verdict}: ${check.sentence}\n${reason ?? ""}`);
        if (check !== undefined && reason !== undefined) await context.annotate(reason, check.verdict);
        return undefined;
      });
    }
  });
}
