import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { type ScriptedTarget, startScriptedTarget } from "../fixtures/test-servers/scripted-target.ts";
import { slowChallenges } from "../fixtures/test-servers/slow-challenges.ts";
import { startMailproof } from "./mailproof-process.ts";

vi.setConfig({ testTimeout: 60_000 });

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

async function slowTarget(difficulty = 1): Promise<string> {
  let url = "";
  const target = await startScriptedTarget(
    slowChallenges(
      () => url,
      () => 5,
      difficulty,
    ),
  );
  targets.push(target);
  url = target.url;
  return url;
}

const elsewhere = "https://auth.example.test";
const inAMinute = new Date(Date.now() + 60_000).toISOString();

describe("what cannot be done ends with exit code 2 and says why", () => {
  test.for([
    {
      why: "an unknown load profile",
      args: ["--profile", "isolaton"],
      says: "there is no load profile isolaton; there are challenge,",
    },
    { why: "a mistyped option", args: ["--profil", "x"], says: "--profil" },
    {
      why: "a baseline that is not there",
      args: ["--baseline", "none.json"],
      says: "none.json cannot be read",
    },
    {
      why: "a shard without a time",
      args: ["--shard", "1/2"],
      says: "--shard and --start-at belong together",
    },
    {
      why: "a shard beyond the last",
      args: ["--shard", "3/2", "--start-at", inAMinute],
      says: "expected k/n with 1 ≤ k ≤ n",
    },
    {
      why: "a time without a zone",
      args: ["--shard", "1/2", "--start-at", "2026-01-31T12:00:00"],
      says: "expected an ISO 8601 time with its zone",
    },
    {
      why: "a time that is over",
      args: ["--shard", "1/2", "--start-at", "2020-01-31T12:00:00Z"],
      says: "is over",
    },
    {
      why: "a shard of the embedded service",
      args: ["--shard", "1/2", "--start-at", inAMinute],
      says: "--shard needs --target and exactly one --profile",
    },
    { why: "a merge of nothing", args: ["merge"], says: "merge needs the load.json files of all shards" },
  ])("$why", async ({ args, says }) => {
    const { code, err } = await start(args).ended;
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test("a baseline that is no load run", async () => {
    const { code, err } = await start(["--baseline", file({ format: "mailproof-run/1" })]).ended;
    expect(err).toContain("is no load run of this version of mailproof");
    expect(code).toBe(2);
  });

  test.for([
    {
      why: "a host elsewhere that nobody permitted",
      load: {},
      says: 'load on auth.example.test is not permitted: it is not on this machine. If it is yours to load, write into its profile "load": {"allow":true,"hosts":["auth.example.test"]}',
    },
    { why: "permission without the host's name", load: { allow: true }, says: "is not permitted" },
    {
      why: "permission for another host",
      load: { allow: true, hosts: ["staging.example.test"] },
      says: "is not permitted",
    },
    {
      why: "a limit that cannot be read",
      load: { thresholds: { "challenge/half/challenge": ["p99 < 50"] } },
      says: 'expected a limit such as "p99 < 50ms"',
    },
    {
      why: "a limit for what there is not",
      load: { thresholds: { "challenge/harf/challenge": ["p99 < 50ms"] } },
      says: "names challenge/harf/challenge, which there is not; expected <profile>/<phase>/<stream>, such as challenge/half/challenge",
    },
  ])("a profile with $why", async ({ load, says }) => {
    const { code, err } = await start(["--target", profileOf(elsewhere, load)]).ended;
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test("a plan that needs more proofs than this machine can find in time, with the sum", async () => {
    const url = await slowTarget(12);
    const profile = profileOf(url, { cores: 2, scrypt_ms: 30 });
    const { code, err } = await start(["--target", profile, "--profile", "verify-valid"]).ended;
    expect(err).toMatch(
      /needs \d+ proofs of work: × 2\^12 hashes each ÷ \d+ hashes a second on this machine = \d+ s/u,
    );
    expect(code).toBe(2);
  });
});

test("nothing listens: exit code 3 and one message", async () => {
  const { code, err } = await start(["--target", profileOf("http://127.0.0.1:9", {})]).ended;
  expect(err).toContain("nothing listens there");
  expect(code).toBe(3);
});

test("Ctrl-C lets what is under way end and keeps what was measured", async () => {
  const profile = profileOf(await slowTarget(), { cores: 2, scrypt_ms: 200 });
  const out = mkdtempSync(join(folder, "runs-"));
  const started = startMailproof(["load", "--target", profile, "--profile", "churn", "--out", out]);
  children.push(started.child);
  await new Promise<void>((resolve) =>
    started.child.stderr?.on("data", (part: Buffer) => void (part.includes("/s, p50") && resolve())),
  );
  started.child.kill("SIGINT");
  const { code, err, out: shown } = await started.ended;
  expect(err).toContain("interrupted: letting what is under way end");
  const [id = ""] = readdirSync(out);
  const run: unknown = JSON.parse(readFileSync(join(out, id, "load.json"), "utf8"));
  expect(run).toMatchObject({ isComplete: false, profiles: [{ name: "churn", verdict: "invalid" }] });
  expect(shown).toContain("interrupted");
  expect(code).toBe(3);
});

test("a limit that the target's profile sets is judged, and its miss is exit code 4", async () => {
  const load = {
    cores: 2,
    scrypt_ms: 200,
    thresholds: { "challenge/half/challenge": ["p50 < 1ms", "rate > 1/s"] },
  };
  const profile = profileOf(await slowTarget(), load);
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
  const own = run.profiles[0]?.thresholds.filter((it) => it.id.startsWith("profile file")) ?? [];
  expect(own.map(({ verdict }) => verdict)).toEqual(["missed", "pass"]);
  expect(code).toBeOneOf([3, 4]);
});
