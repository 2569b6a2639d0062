import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { decodeHistogram, percentileMs, sumOf } from "../../../suites/support/load/latency-histogram.ts";
import { type LoadRun, parseLoadRun } from "../../../reports/load-format.ts";

/** The command that the manifest runs in each pod, run here in four processes against one target. */

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
const server = createServer();
let url = "";

beforeAll(async () => {
  // Every tenth answer takes 200 ms, the others 50: percentiles that no averaging of percentiles would give.
  let turn = 0;
  server.on("request", (request, response) => {
    const waitMs = (turn += 1) % 10 === 0 ? 200 : 50;
    const challenge = unsignedJwt({ jti: `jti-${turn}`, difficulty: 1, salt: "00".repeat(16) });
    const isMetadata = request.method === "GET";
    const answer = (): void => {
      if (isMetadata)
        response.setHeader("Content-Type", "application/json").end(JSON.stringify({ issuer: url }));
      else response.setHeader("Authorization", `Bearer ${challenge}`).end("{}");
    };
    setTimeout(answer, waitMs);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const load = { cores: 2, scrypt_ms: 200 };
  writeFileSync(
    join(folder, "profile.json"),
    JSON.stringify({ auth_url: url, api_url: url, mcp_url: url, load }),
  );
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

function unsignedJwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "EdDSA" })}.${part(claims)}.${Buffer.alloc(64).toString("base64url")}`;
}

async function mailproof(args: readonly string[]): Promise<{ code: number | null; text: string }> {
  return ended(spawn(process.execPath, [join(root, "scripts/mailproof.ts"), "load", ...args], { cwd: root }));
}

function ended(child: ReturnType<typeof spawn>): Promise<{ code: number | null; text: string }> {
  let text = "";
  child.stdout?.on("data", (part: Buffer) => (text += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (text += part.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, text })));
}

function readRun(out: string): { path: string; run: LoadRun } {
  const [id = ""] = readdirSync(out);
  const path = join(out, id, "load.json");
  return { path, run: parseLoadRun(readFileSync(path, "utf8"), path) };
}

function latencyIn(run: LoadRun, stream: string): (percentile: number) => number {
  const histograms = run.profiles
    .flatMap(({ phases }) => phases)
    .filter(({ isWarmUp }) => !isWarmUp)
    .flatMap(({ streams }) => streams)
    .filter(({ name }) => name === stream)
    .flatMap(({ rows }) => rows.map(({ latency }) => decodeHistogram(latency)));
  const sum = sumOf(histograms);
  return (percentile) => percentileMs(sum, percentile) ?? NaN;
}

test("the manifest asks for as many pods as there are shards", () => {
  const shards = container.env.find(({ name }) => name === "SHARDS")?.value;
  expect([manifest.spec.completions, manifest.spec.parallelism]).toEqual([Number(shards), Number(shards)]);
});

test(
  "four generators, placed by the manifest's command and merged, report what one does",
  { timeout: 180_000 },
  async () => {
    const count = manifest.spec.completions;
    const startAt = new Date(Date.now() + 12_000).toISOString();
    const own = {
      PROFILE: join(folder, "profile.json"),
      LOAD_PROFILE: "churn",
      RESULTS: folder,
      START_AT: startAt,
    };
    const given = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const shards = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const env = { ...process.env, ...given, ...own, JOB_COMPLETION_INDEX: String(index) };
        const [shell = "sh", ...flags] = container.command;
        return ended(spawn(shell, [...flags, ...container.args], { cwd: root, env }));
      }),
    );
    expect(shards.map(({ code, text }) => (code === 0 ? "measured" : text))).toEqual(
      Array.from({ length: count }, () => "measured"),
    );
    const parts = Array.from({ length: count }, (_, index) => readRun(join(folder, String(index))));
    const paths = parts.map(({ path }) => path);
    const merged = await mailproof(["merge", ...paths, "--out", join(folder, "merged")]);
    expect(merged, merged.text).toMatchObject({ code: 0 });
    const one = await mailproof([
      "--target",
      own.PROFILE,
      "--profile",
      "churn",
      "--out",
      join(folder, "one"),
    ]);
    expect(one, one.text).toMatchObject({ code: 0 });

    const [sum, whole] = [readRun(join(folder, "merged")).run, readRun(join(folder, "one")).run];
    for (const stream of ["challenge", "metadata"]) {
      const [ofSum, ofWhole] = [latencyIn(sum, stream), latencyIn(whole, stream)];
      // The steps of the answers' times, plus what a busy machine adds to a timer.
      for (const [percentile, ms] of [
        [50, 50],
        [85, 50],
        [95, 200],
        [99, 200],
      ] as const) {
        expect(Math.abs(ofSum(percentile) - ofWhole(percentile)), `${stream} p${percentile}`).toBeLessThan(
          15,
        );
        expect(ofSum(percentile)).toBeGreaterThan(ms - 2);
      }
    }

    const refusals = await Promise.all([
      mailproof(["merge", ...paths.slice(1), "--out", join(folder, "merged")]),
      mailproof(["merge", ...paths, paths[0] ?? "", "--out", join(folder, "merged")]),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual([2, 2]);
    expect(refusals[0]?.text).toContain("shard 1/4 is missing");
    expect(refusals[1]?.text).toContain("shard 1/4 is there 2 times");
  },
);
