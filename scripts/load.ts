import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LoadRun } from "../reports/load-format.ts";
import type { LoadProfile } from "../suites/support/load/load-profile.ts";
import { loadProfile, type Profile } from "../suites/support/target/profile.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { exitCodes } from "./exit-codes.ts";
import { listenForInterruption } from "./interruption.ts";
import { withBaseline } from "./load/baseline.ts";
import { showLive } from "./load/live-line.ts";
import { loadExitCode } from "./load/load-exit-code.ts";
import { readLoadRun } from "./load/read-load-run.ts";
import { requirePermission } from "./load/permission.ts";
import { renderPlan } from "./load/plan.ts";
import { NothingAnswersError, runLoad } from "./load/run-load.ts";
import { selectProfiles, withLimitsOf } from "./load/select-profiles.ts";
import { parseShard, type ShardOption } from "./load/shard-option.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof load [--target PROFILE] [--profile NAME]… [--short] [--baseline FILE] [--out DIRECTORY]
mailproof load --target PROFILE --profile NAME --shard K/N --start-at TIME [--out DIRECTORY]
mailproof load merge FILE… [--target PROFILE] [--baseline FILE] [--out DIRECTORY]

Puts a target under load and says what still holds. Without --target, starts the reference service that comes with
mailproof and loads that. Without --profile: challenge, verify-forged, forged-cheap, replay, isolation.

  --target PROFILE   a profile file; a target that is not on this machine must be permitted there (load.allow, load.hosts)
  --profile NAME     a load profile; may be repeated; --profile all takes every one
  --short            shorter phases, for a first look and for CI
  --baseline FILE    the load.json of an earlier run to compare with
  --shard K/N        this is the K-th of N generators, which all begin at --start-at TIME (ISO 8601)
  --out DIRECTORY    where runs are written (reports/runs)

merge adds up the load.json files of all shards of a run and judges the sum.

Exit codes: 0 everything held · 1 an answer was against the document · 2 usage or profile · 3 invalid or incomplete: it was
measured badly, and is neither pass nor fail · 4 a threshold was missed, or is worse than the baseline · 5 a defect of mailproof`;

// A forged proof is right by chance once in eight, a solved one takes eight hashes: few enough for a first run.
const embeddedDifficultyBits = 3;

/** @returns the exit code */
export async function load(args: string[]): Promise<number> {
  if (args[0] === "merge") return (await import("./load/merge.ts")).mergeCommand(args.slice(1));
  const { values } = parseArgs({
    args,
    options: {
      target: { type: "string" },
      profile: { type: "string", multiple: true, default: [] },
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
  const shard = parseShard(values.shard, values["start-at"]);
  if (shard !== undefined && (values.target === undefined || values.profile.length !== 1))
    throw new UsageError(
      "--shard needs --target and exactly one --profile: all generators load the same target",
    );
  // Before the run: what cannot be read is to be known now, not after minutes of work.
  const baseline = values.baseline === undefined ? undefined : readLoadRun(values.baseline);
  const profiles = selectProfiles(values.profile);
  const options = { profiles, isShort: values.short, baseline, shard, out: values.out };
  if (values.target !== undefined)
    return loadTarget(loadProfile(values.target), { ...options, isEmbedded: false });
  const embedded = await startEmbeddedService({ difficultyBits: embeddedDifficultyBits });
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
  const profiles = withLimitsOf(target, options.profiles);
  requirePermission(target);
  const id = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/gu, "")}-${randomBytes(2).toString("hex")}`;
  const folder = join(options.out, id);
  mkdirSync(folder, { recursive: true });
  const subject = isEmbedded ? "the embedded reference service" : target.auth_url;
  console.log(`loading ${subject} with ${profiles.map(({ name }) => name).join(", ")}`);
  const interruption = listenForInterruption("letting what is under way end, then writing what was measured");
  try {
    const run = await runLoad(target, {
      id,
      profiles,
      isShort,
      isEmbedded,
      shard,
      signal: interruption.signal,
      begin(plan, units) {
        console.log(renderPlan(plan));
        return showLive(units);
      },
    });
    const result = withBaseline(run, baseline);
    // Loaded now: drawing charts takes longer to load than all the rest of this command.
    const { writeReport } = await import("./load/write-report.ts");
    writeReport(result, folder);
    return loadExitCode(result);
  } catch (error) {
    if (error instanceof NothingAnswersError) console.error(`mailproof: ${error.message}`);
    else if (interruption.signal.aborted) console.error("mailproof: nothing was measured yet");
    else throw error;
    return exitCodes.incomplete;
  } finally {
    interruption.end();
  }
}
