import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type ScriptedTarget, startScriptedTarget } from "../../../fixtures/test-servers/scripted-target.ts";
import { delayedChallenges } from "../../../fixtures/test-servers/delayed-challenges.ts";
import { startMailproof, whenEnded } from "../../mailproof-process.ts";
import {
  decodeHistogram,
  percentileMs,
  mergeHistograms,
} from "../../../suites/support/load/figures/latency-histogram.ts";
import { type LoadRun, parseLoadRun } from "../../../reports/load-format.ts";

/** Runs the command of the manifest in four processes against one target. */

const root = join(import.meta.dirname, "../../..");
const manifest = z
  .object({
    spec: z.object({
      completions: z.number(),
      parallelism: z.number(),
      template: z.object({
        spec: z.object({
          containers: z.tuple([
            z.object({
              env: z.array(z.object({ name: z.string(), value: z.string() })),
              command: z.array(z.string()),
              args: z.tuple([z.string()]),
            }),
          ]),
        }),
      }),
    }),
  })
  .parse(parse(readFileSync(join(root, "scripts/load/indexed-job.yaml"), "utf8")));
const [container] = manifest.spec.template.spec.containers;

const folder = mkdtempSync(join(tmpdir(), "mailproof-shards-"));
let target: ScriptedTarget;
let url = "";

beforeAll(async () => {
  // Every tenth response takes 200 ms, the others 50 ms: averaging percentiles would not give the right result.
  target = await startScriptedTarget(
    delayedChallenges(
      () => url,
      (turn) => (turn % 10 === 0 ? 200 : 50),
    ),
  );
  url = target.url;
  const content = { auth_url: url, api_url: url, mcp_url: url, load: { cores: 2, scrypt_ms: 200 } };
  writeFileSync(join(folder, "profile.json"), JSON.stringify(content));
});

afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true });
});

const load = (args: readonly string[]) => startMailproof(["load", ...args]).ended;

function readRun(out: string): { path: string; run: LoadRun } {
  const [id = ""] = readdirSync(out);
  const path = join(out, id, "load.json");
  return { path, run: parseLoadRun(readFileSync(path, "utf8"), path) };
}

function latencyIn(runs: readonly LoadRun[], stream: string): (percentile: number) => number {
  const histograms = runs
    .flatMap(({ profiles }) => profiles)
    .flatMap(({ phases }) => phases)
    .filter(({ isWarmUp }) => !isWarmUp)
    .flatMap(({ streams }) => streams)
    .filter(({ name }) => name === stream)
    .flatMap(({ rows }) => rows.map(({ latency }) => decodeHistogram(latency)));
  const sum = mergeHistograms(histograms);
  return (percentile) => percentileMs(sum, percentile) ?? NaN;
}

test("the manifest has one pod per shard", () => {
  const shards = container.env.find(({ name }) => name === "SHARDS")?.value;
  expect([manifest.spec.completions, manifest.spec.parallelism]).toEqual([Number(shards), Number(shards)]);
});

test("four merged shards report the same percentiles as one generator", async () => {
  const count = manifest.spec.completions;
  const startAt = new Date(Date.now() + 12_000).toISOString();
  const overrides = {
    PROFILE: join(folder, "profile.json"),
    LOAD_PROFILE: "churn",
    RESULTS: folder,
    START_AT: startAt,
  };
  const defaults = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const shards = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const env = { ...process.env, ...defaults, ...overrides, JOB_COMPLETION_INDEX: String(index) };
      const [shell = "sh", ...flags] = container.command;
      return whenEnded(spawn(shell, [...flags, ...container.args], { cwd: root, env }));
    }),
  );
  expect(shards.map(({ code, out, err }) => (code === 0 ? "measured" : out + err))).toEqual(
    Array.from({ length: count }, () => "measured"),
  );
  const parts = Array.from({ length: count }, (_, index) => readRun(join(folder, String(index))));
  const paths = parts.map(({ path }) => path);
  const merged = await load(["merge", ...paths, "--out", join(folder, "merged")]);
  expect(merged).toMatchObject({ code: 0 });
  const one = await load(["--target", overrides.PROFILE, "--profile", "churn", "--out", join(folder, "one")]);
  expect(one).toMatchObject({ code: 0 });

  const [sum, whole] = [readRun(join(folder, "merged")).run, readRun(join(folder, "one")).run];
  for (const stream of ["challenge", "metadata"]) {
    const [ofSum, ofWhole] = [latencyIn([sum], stream), latencyIn([whole], stream)];
    const ofParts = latencyIn(
      parts.map(({ run }) => run),
      stream,
    );
    for (const percentile of [50, 85, 95, 99])
      expect(ofSum(percentile), `${stream} p${percentile}`).toBe(ofParts(percentile));
    // Nine in ten wait 50 ms and one waits 200: a busy machine adds to both, an average of percentiles lies between them.
    for (const percentile of [50, 85])
      for (const of of [ofSum, ofWhole]) {
        expect(of(percentile), `${stream} p${percentile}`).toBeGreaterThan(48);
        expect(of(percentile), `${stream} p${percentile}`).toBeLessThan(150);
      }
    for (const percentile of [95, 99])
      for (const of of [ofSum, ofWhole])
        expect(of(percentile), `${stream} p${percentile}`).toBeGreaterThan(198);
  }

  const rejected = await Promise.all([
    load(["merge", ...paths.slice(1), "--out", join(folder, "merged")]),
    load(["merge", ...paths, paths[0] ?? "", "--out", join(folder, "merged")]),
  ]);
  expect(rejected.map(({ code }) => code)).toEqual([2, 2]);
  expect(rejected[0]?.err).toContain("shard 1/4 is missing");
  expect(rejected[1]?.err).toContain("shard 1/4 is given 2 times");
});
