import { join } from "node:path";
import { printable } from "../reports/printable.ts";
import type { LoadRun } from "../reports/load-format.ts";
import type { LoadProfile } from "../suites/support/load/load-profile.ts";
import { loadProfile, type Profile } from "../suites/support/target/profile.ts";
import { learnProfile } from "../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../suites/support/wire/secrets.ts";
import { embeddedFlags, embeddedOptions, embeddedUsage } from "./embedded-options.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { maskError } from "./error-text.ts";
import { exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { withBaseline } from "./load/baseline.ts";
import { createLiveOutput } from "./load/live-output.ts";
import { loadExitCode } from "./load/load-exit-code.ts";
import { readLoadRun } from "./load/read-load-run.ts";
import { requireDirectConnection, requirePermission } from "./load/permission.ts";
import { renderPlan } from "./load/plan.ts";
import { TargetUnreachableError, runLoad } from "./load/run-load.ts";
import { selectProfiles, withUserThresholds } from "./load/select-profiles.ts";
import { parseShard, type ShardOption } from "./load/shard-option.ts";
import { createRunFolder } from "./run-folder/create-run-folder.ts";
import { findSecrets } from "./run-folder/find-secrets.ts";
import { createJournalFile, journalName } from "./run-folder/journal-file.ts";
import { OutputError } from "./run-folder/output-error.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { parseOptions } from "./parse-options.ts";
import { withTarget } from "./start-target/with-target.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof load [--target PROFILE] [--profile NAME]… [--short] [--baseline FILE] [--out DIRECTORY]
mailproof load [--data DIR | --database URL [--nodes N]] [--profile NAME]… [--short]
mailproof load --target PROFILE --profile NAME --shard K/N --start-at TIME [--out DIRECTORY]
mailproof load merge FILE… [--target PROFILE] [--baseline FILE] [--out DIRECTORY]

Load-tests a target and checks its responses against the document. Without --target, tests the embedded reference service.
Without --profile, runs challenge, verify-forged, forged-cheap, replay and isolation.

  --target PROFILE   the target's profile, a JSON file; for a remote target it must set load.allow and load.hosts
  --profile NAME     the load profile to run, or all; may be repeated
${embeddedUsage}
  --short            use shorter phases
  --baseline FILE    compare with the load.json of an earlier run
  --shard K/N        run as the K-th of N load generators
  --start-at TIME    when all shards start, ISO 8601 with a time zone
  --out DIRECTORY    where to write reports (default: reports/runs)

merge combines the load.json files of all shards of a run and judges the result.

Exit codes: 0 all passed · 1 a response violates the document · 2 invalid usage or profile, or results cannot be written ·
3 invalid measurement or incomplete run, neither pass nor fail · 4 a threshold was missed, or a regression against the
baseline · 5 a defect of mailproof itself`;

// A proof takes eight hashes on average, which keeps setup short; a random nonce is valid in one of eight cases.
const embeddedDifficultyBits = 3;

/** @returns the exit code */
export async function load(args: string[]): Promise<number> {
  if (args[0] === "merge") return (await import("./load/merge.ts")).mergeCommand(args.slice(1));
  const { values } = parseOptions({
    args,
    options: {
      target: { type: "string" },
      profile: { type: "string", multiple: true, default: [] },
      ...embeddedOptions,
      short: { type: "boolean", default: false },
      baseline: { type: "string" },
      shard: { type: "string" },
      "start-at": { type: "string" },
      out: { type: "string", default: "reports/runs" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  applyNetworkSettings();
  const serviceOptions = embeddedFlags(values, values.target);
  const shard = parseShard(values.shard, values["start-at"]);
  if (shard !== undefined && (values.target === undefined || values.profile.length !== 1))
    throw new UsageError(
      "--shard needs --target and exactly one --profile: all generators load the same target",
    );
  // Read before the run, so that an unreadable file fails immediately.
  const baseline = values.baseline === undefined ? undefined : readLoadRun(values.baseline);
  const profiles = selectProfiles(values.profile);
  const options = { profiles, isShort: values.short, baseline, shard, out: values.out };
  // All generators load one target, which none of them starts.
  if (shard !== undefined && values.target !== undefined)
    return loadTarget(loadProfile(values.target), { ...options, isEmbedded: false });
  if (values.target !== undefined)
    return withTarget(values.target, (target) => loadTarget(target, { ...options, isEmbedded: false }));
  const embedded = await startEmbeddedService({ difficultyBits: embeddedDifficultyBits, serviceOptions });
  try {
    return await loadTarget(embedded.profile, { ...options, isEmbedded: true });
  } finally {
    await embedded.stop();
  }
}

interface LoadOptions {
  readonly profiles: readonly LoadProfile[];
  readonly isShort: boolean;
  readonly isEmbedded: boolean;
  readonly baseline: LoadRun | undefined;
  readonly shard: ShardOption | undefined;
  readonly out: string;
}

async function loadTarget(target: Profile, options: LoadOptions): Promise<number> {
  const { isEmbedded, isShort, shard, baseline } = options;
  const profiles = withUserThresholds(target, options.profiles);
  requirePermission(target);
  requireDirectConnection(target);
  const { id, path: folder } = createRunFolder(options.out, new Date());
  const journal = createJournalFile(folder);
  const subject = isEmbedded ? "the embedded reference service" : target.auth_url;
  console.log(`load testing ${subject}: ${profiles.map(({ name }) => name).join(", ")}`);
  const mask = createSecretMask();
  learnProfile(mask, target);
  const interruption = listenForInterruption("waiting for requests in flight, then writing the report");
  try {
    const run = await runLoad(target, {
      id,
      profiles,
      isShort,
      isEmbedded,
      shard,
      mask,
      signal: interruption.signal,
      onPlan(plan, units) {
        console.log(renderPlan(plan));
        return createLiveOutput(units);
      },
      onEntry: journal.append,
    });
    journal.close();
    const result = withBaseline(run, baseline);
    // Imported late, because the chart library is slow to load.
    const { writeReport } = await import("./load/write-report.ts");
    writeReport(result, folder);
    const { ownText } = await import("./load/own-text.ts");
    const leaks = await findSecrets(folder, mask, ownText(result));
    for (const leak of leaks)
      console.error(`mailproof: a defect of mailproof itself: ${leak}; delete what was written`);
    if (leaks.length > 0) return exitCodes.defect;
    return loadExitCode(result);
  } catch (error) {
    maskError(error, mask);
    if (error instanceof OutputError)
      throw new OutputError(
        `${error.message}; the profiles that were measured are in ${join(folder, journalName)}; mailproof report ${folder} shows them`,
        { cause: error },
      );
    if (error instanceof TargetUnreachableError) console.error(printable(`mailproof: ${error.message}`));
    else if (interruption.signal.aborted)
      console.error("mailproof: interrupted before anything was measured");
    else throw error;
    return exitCodes.incomplete;
  } finally {
    interruption.end();
  }
}
