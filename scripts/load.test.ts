import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type ScriptedTarget, startScriptedTarget } from "../fixtures/test-servers/scripted-target.ts";
import { delayedChallenges } from "../fixtures/test-servers/delayed-challenges.ts";
import { startMailproof } from "./mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-load-"));
const children: ChildProcess[] = [];
const targets: ScriptedTarget[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(targets.splice(0).map((target) => target.close()));
});

afterAll(() => rmSync(folder, { recursive: true }));

function start(args: readonly string[]) {
  const started = startMailproof(["load", ...args, "--out", folder]);
  children.push(started.child);
  return started;
}

function file(content: unknown): string {
  const path = join(folder, `file-${readdirSync(folder).length}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

function profileOf(url: string, load: unknown): string {
  return file({ auth_url: url, api_url: url, mcp_url: url, load });
}

async function startDelayedTarget(difficulty = 1): Promise<string> {
  let url = "";
  const target = await startScriptedTarget(
    delayedChallenges(
      () => url,
      () => 5,
      difficulty,
    ),
  );
  targets.push(target);
  url = target.url;
  return url;
}

const remoteUrl = "https://auth.example.test";
const inAMinute = new Date(Date.now() + 60_000).toISOString();

describe("exits with 2 and an explanation for", () => {
  test.for([
    {
      why: "an unknown load profile",
      args: ["--profile", "isolaton"],
      says: "unknown load profile isolaton; expected one of challenge,",
    },
    { why: "a mistyped option", args: ["--profil", "x"], says: "--profil" },
    {
      why: "a missing baseline file",
      args: ["--baseline", "none.json"],
      says: "cannot read none.json",
    },
    {
      why: "--shard without --start-at",
      args: ["--shard", "1/2"],
      says: "--shard and --start-at must be used together",
    },
    {
      why: "a shard number above the count",
      args: ["--shard", "3/2", "--start-at", inAMinute],
      says: "expected k/n with 1 ≤ k ≤ n",
    },
    {
      why: "--start-at without a time zone",
      args: ["--shard", "1/2", "--start-at", "2026-01-31T12:00:00"],
      says: "expected an ISO 8601 time with a time zone",
    },
    {
      why: "--start-at in the past",
      args: ["--shard", "1/2", "--start-at", "2020-01-31T12:00:00Z"],
      says: "is in the past",
    },
    {
      why: "--shard with the embedded service",
      args: ["--shard", "1/2", "--start-at", inAMinute],
      says: "--shard needs --target and exactly one --profile",
    },
    { why: "merge without files", args: ["merge"], says: "merge needs the load.json file of every shard" },
  ])("$why", async ({ args, says }) => {
    const { code, err } = await start(args).ended;
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test("a baseline that is not a load run", async () => {
    const { code, err } = await start(["--baseline", file({ format: "mailproof-run/1" })]).ended;
    expect(err).toContain("is not a load run of this version of mailproof");
    expect(code).toBe(2);
  });

  test.for([
    {
      why: "a remote host without permission",
      load: {},
      says: 'load on the remote host auth.example.test is not permitted; if you may load-test it, set in its profile "load": {"allow":true,"hosts":["auth.example.test"]}',
    },
    { why: "permission without hosts", load: { allow: true }, says: "is not permitted" },
    {
      why: "permission for another host",
      load: { allow: true, hosts: ["staging.example.test"] },
      says: "is not permitted",
    },
    {
      why: "an invalid threshold",
      load: { thresholds: { "challenge/half/challenge": ["p99 < 50"] } },
      says: 'expected a limit such as "p99 < 50ms"',
    },
    {
      why: "a threshold on an unknown stream",
      load: { thresholds: { "challenge/harf/challenge": ["p99 < 50ms"] } },
      says: "unknown stream challenge/harf/challenge in load.thresholds of the target's profile; expected <profile>/<phase>/<stream>, such as challenge/half/challenge",
    },
  ])("a profile with $why", async ({ load, says }) => {
    const { code, err } = await start(["--target", profileOf(remoteUrl, load)]).ended;
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test("a plan with more proofs of work than this machine can solve in time", async () => {
    const url = await startDelayedTarget(12);
    const profile = profileOf(url, { cores: 2, scrypt_ms: 30 });
    const { code, err } = await start(["--target", profile, "--profile", "verify-valid"]).ended;
    expect(err).toMatch(
      /needs \d+ proofs of work: × 2\^12 hashes each ÷ \d+ hashes\/s on this machine = \d+ s/u,
    );
    expect(code).toBe(2);
  });
});

test("exits with 3 when nothing listens", async () => {
  const { code, err } = await start(["--target", profileOf("http://127.0.0.1:9", {})]).ended;
  expect(err).toContain("nothing listens there");
  expect(code).toBe(3);
});

test("Ctrl-C waits for requests in flight and writes the report", async () => {
  const profile = profileOf(await startDelayedTarget(), { cores: 2, scrypt_ms: 200 });
  const out = mkdtempSync(join(folder, "runs-"));
  const started = startMailproof(["load", "--target", profile, "--profile", "churn", "--out", out]);
  children.push(started.child);
  await new Promise<void>((resolve) =>
    started.child.stderr?.on("data", (part: Buffer) => void (part.includes("/s, p50") && resolve())),
  );
  started.child.kill("SIGINT");
  const { code, err, out: shown } = await started.ended;
  expect(err).toContain("interrupted: waiting for requests in flight");
  const [id = ""] = readdirSync(out);
  const run: unknown = JSON.parse(readFileSync(join(out, id, "load.json"), "utf8"));
  expect(run).toMatchObject({ isComplete: false, profiles: [{ name: "churn", verdict: "invalid" }] });
  expect(shown).toContain("interrupted");
  expect(code).toBe(3);
});

test("thresholds in the target's profile are judged, and a missed one gives exit code 4", async () => {
  const load = {
    cores: 2,
    scrypt_ms: 200,
    thresholds: { "challenge/half/challenge": ["p50 < 1ms", "rate > 1/s"] },
  };
  const profile = profileOf(await startDelayedTarget(), load);
  const out = mkdtempSync(join(folder, "runs-"));
  const { code } = await startMailproof([
    "load",
    "--target",
    profile,
    "--profile",
    "challenge",
    "--short",
    "--out",
    out,
  ]).ended;
  const [id = ""] = readdirSync(out);
  const run = JSON.parse(readFileSync(join(out, id, "load.json"), "utf8")) as {
    profiles: { thresholds: { id: string; verdict: string }[] }[];
  };
  const additional = run.profiles[0]?.thresholds.filter((it) => it.id.startsWith("profile file")) ?? [];
  expect(additional.map(({ verdict }) => verdict)).toEqual(["missed", "pass"]);
  expect(code).toBeOneOf([3, 4]);
});
