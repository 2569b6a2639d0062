import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { delayedChallenges } from "../fixtures/test-servers/delayed-challenges.ts";
import { type ScriptedTarget, startScriptedTarget } from "../fixtures/test-servers/scripted-target.ts";
import { type Ended, startMailproof, whenEnded } from "./mailproof-process.ts";
import { shuffled } from "./shuffled.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-interruptions-"));
const children: ChildProcess[] = [];
const targets: ScriptedTarget[] = [];
const entry = join(import.meta.dirname, "mailproof.cjs");

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(targets.splice(0).map((target) => target.close()));
});

afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Accepts everything, which violates many claims: each is printed as soon as it is judged.
 *
 * @param answer - to the n-th request
 */
async function acceptingProfile(answer: (turn: number) => string = () => "{}"): Promise<string> {
  let turn = 0;
  const target = await startScriptedTarget((_request, response) => {
    turn += 1;
    const body = answer(turn);
    setTimeout(() => response.setHeader("content-type", "application/json").end(body), 20);
  });
  targets.push(target);
  return profileFile(target.url);
}

function profileFile(url: string, more: Readonly<Record<string, unknown>> = {}): string {
  const path = join(folder, `profile-${readdirSync(folder).length}.json`);
  writeFileSync(path, JSON.stringify({ auth_url: url, api_url: url, mcp_url: url, ...more }));
  return path;
}

function judge(profile: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const out = mkdtempSync(join(folder, "runs-"));
  const started = startMailproof(["conformance", "--target", profile, "--out", out, ...args], env);
  children.push(started.child);
  return { ...started, out };
}

/** The one run in a folder of runs. */
function runFolder(out: string): string {
  const [id = ""] = readdirSync(out);
  return join(out, id);
}

function journaled(out: string): string[] {
  return readFileSync(join(runFolder(out), "journal.jsonl"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { kind: string; check?: { id: string } })
    .flatMap(({ check }) => (check === undefined ? [] : [check.id]));
}

function runJson(out: string): { isComplete: boolean; checks: { id: string; verdict: string }[] } {
  return JSON.parse(readFileSync(join(runFolder(out), "run.json"), "utf8")) as ReturnType<typeof runJson>;
}

/** The ids of violations as they were printed. */
function printed(err: string): string[] {
  return Array.from(err.matchAll(/^✗ ([\w/-]+):/gmu), ([, id = ""]) => id);
}

function outputOf(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (part: Buffer) => void (part.includes(text) && resolve()));
  });
}

function command(args: readonly string[]): Promise<Ended> {
  const { child, ended } = startMailproof(args);
  children.push(child);
  return ended;
}

/** A moment in each of the first ten fifths of a second after the first verdict, the same in each run of this test. */
const moments = shuffled(
  Array.from({ length: 10 }, (_, at) => at * 20),
  20261122,
).map((offset, at) => at * 200 + offset);

describe("a run that ends at once", () => {
  test.for([
    ...moments.map((afterMs) => ({ signal: "SIGKILL", afterMs }) as const),
    { signal: "SIGABRT", afterMs: 600 } as const,
  ])("$signal after $afterMs ms keeps every verdict that was printed", async ({ signal, afterMs }) => {
    const { child, ended, out } = judge(await acceptingProfile());
    await outputOf(child, "✗ ");
    await delay(afterMs);
    child.kill(signal);
    const { err } = await ended;
    const kept = journaled(out);
    expect(printed(err).length).toBeGreaterThan(0);
    expect(kept).toEqual(expect.arrayContaining(printed(err)));
    const reported = await command(["report", runFolder(out)]);
    const run = runJson(out);
    expect(run.isComplete).toBe(false);
    expect(run.checks.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
    expect(reported).toMatchObject({ code: 1 });
    expect(reported.out).toContain("(interrupted)");
  });

  test("a process without memory keeps every verdict that was printed", async () => {
    // 1 MB of JSON in each answer, once there are verdicts to lose.
    const large = JSON.stringify({ a: Array.from({ length: 100_000 }, (_, at) => `${at}`) });
    const profile = await acceptingProfile((turn) => (turn < 90 ? "{}" : large));
    const { ended, out } = judge(profile, [], { NODE_OPTIONS: "--max-old-space-size=70" });
    const { code, err } = await ended;
    expect(err).toContain("JavaScript heap out of memory");
    expect(code).toBeOneOf([null, 134]);
    expect(printed(err).length).toBeGreaterThan(0);
    expect(journaled(out)).toEqual(expect.arrayContaining(printed(err)));
  });

  test("the lines around a damaged one of the journal are rendered, as an incomplete run", async () => {
    const { ended, out } = judge(await acceptingProfile(), [
      "--check",
      "META-03",
      "--check",
      "JWKS-01",
      "--no-repeat",
    ]);
    await ended;
    const path = join(runFolder(out), "journal.jsonl");
    const lines = readFileSync(path, "utf8").split("\n");
    const last = lines.findLastIndex((line) => line.startsWith('{"kind":"check"'));
    writeFileSync(path, [...lines.slice(0, last), "\0\0\0\0", ...lines.slice(last)].join("\n"));
    const { code, err } = await command(["report", runFolder(out)]);
    expect(err).toContain(`${path}, line ${last + 1}: cannot be read`);
    expect(runJson(out)).toMatchObject({ isComplete: false, checks: [{}, {}] });
    expect(code).toBeOneOf([1, 3]);
  });
});

test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s during a search for a proof of work stops it, and writes the reports",
  async (signal) => {
    let url = "";
    const target = await startScriptedTarget(
      delayedChallenges(
        () => url,
        () => 1,
        30,
      ),
    );
    targets.push(target);
    ({ url } = target);
    const profile = profileFile(url, { pow: { max_difficulty: 30 } });
    const { child, ended, out } = judge(profile, ["--check", "META-03", "--check", "POW-08"]);
    const solver = await searchingChild(child.pid ?? 0);
    child.kill(signal);
    const { code, err } = await ended;
    expect(err).toContain("interrupted: writing what was judged");
    expect(runJson(out)).toMatchObject({ isComplete: false });
    expect(code).toBe(3);
    expect(isRunning(solver)).toBe(false);
  },
);

/** The solver process of a run, as soon as it uses the processor. */
async function searchingChild(pid: number): Promise<number> {
  while (isRunning(pid)) {
    const children = procFile(`${pid}/task/${pid}/children`).split(" ").map(Number);
    const solver = children.find((child) => procFile(`${child}/cmdline`).includes("process-entry"));
    // Field 14 is the processor time in user mode, in ticks.
    if (solver !== undefined && Number(procFile(`${solver}/stat`).split(" ")[13]) > 20) return solver;
    await delay(50);
  }
  throw new Error("the run ended before it searched");
}

function procFile(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "utf8");
  } catch {
    // The process is gone.
    return "";
  }
}

function isRunning(pid: number): boolean {
  return procFile(`${pid}/cmdline`) !== "";
}

test("a second Ctrl-C ends a load run at once, as incomplete", async () => {
  // Answers the first requests, and then nothing more: requests in flight are waited for.
  let url = "";
  let received = 0;
  const answer = delayedChallenges(
    () => url,
    () => 1,
  );
  const target = await startScriptedTarget((request, response) => {
    received += 1;
    if (received < 300) answer(request, response);
  });
  targets.push(target);
  ({ url } = target);
  const profile = profileFile(url, { timeout_seconds: 60, load: { cores: 2, scrypt_ms: 200 } });
  const out = mkdtempSync(join(folder, "runs-"));
  const started = startMailproof(["load", "--target", profile, "--profile", "churn", "--out", out]);
  children.push(started.child);
  await vi.waitUntil(() => received > 320, { timeout: 300_000 });
  started.child.kill("SIGINT");
  await outputOf(started.child, "interrupted");
  await delay(1000);
  started.child.kill("SIGINT");
  expect(await started.ended).toMatchObject({ code: 3 });
  const { code, out: shown } = await command(["report", runFolder(out)]);
  expect(shown).toContain("load.json");
  expect(code).toBe(3);
});

describe("a reader that leaves does not change the exit code", () => {
  test.for(["stdout", "stderr"] as const)("of %s", async (name) => {
    const { child, ended, out } = judge(await acceptingProfile(), ["--check", "META-03"]);
    child[name]?.destroy();
    expect(await ended).toMatchObject({ code: 1 });
    expect(runJson(out)).toMatchObject({ isComplete: true, checks: [{ id: "META-03", verdict: "fail" }] });
  });

  test("of both, in a pipe", async () => {
    const out = mkdtempSync(join(folder, "runs-"));
    const shell = `"$0" "$1" conformance --check META-03 --out "$2" 2>&1 | head -1; exit \${PIPESTATUS[0]}`;
    const child = spawn("bash", ["-c", shell, process.execPath, entry, out]);
    children.push(child);
    // The reference service conforms.
    expect(await whenEnded(child)).toMatchObject({ code: 0 });
    expect(runJson(out)).toMatchObject({ isComplete: true, checks: [{ verdict: "pass" }] });
  });
});

describe("a full disk is not a verdict", () => {
  test("in the middle of a run", async () => {
    const out = mkdtempSync(join(folder, "runs-"));
    // A limit on the size of a file stands for the disk: 256 blocks of 1,024 bytes.
    const shell = `ulimit -f 256; exec "$0" "$1" conformance --target "$2" --out "$3"`;
    const child = spawn("bash", ["-c", shell, process.execPath, entry, await acceptingProfile(), out]);
    children.push(child);
    const { code, err } = await whenEnded(child);
    expect(err.trim().split("\n").at(-1)).toMatch(
      /^mailproof: cannot write .*journal\.jsonl: the file is too large; what was judged is in .*; mailproof report .* shows it$/u,
    );
    expect(code).toBe(2);
    const kept = journaled(out);
    expect(kept).toEqual(expect.arrayContaining(printed(err)));
    expect((await command(["report", runFolder(out)])).code).toBeOneOf([1, 3]);
    expect(runJson(out).checks).toHaveLength(kept.length);
  });

  test("for what is printed", async () => {
    const shell = `"$0" "$1" list > /dev/full`;
    const child = spawn("bash", ["-c", shell, process.execPath, entry]);
    const { code, err } = await whenEnded(child);
    expect(err).toContain("mailproof: cannot write its output: ENOSPC");
    expect(code).toBe(2);
  });
});

test.for([
  {
    why: "below a file",
    out: () => join(profileFile("http://127.0.0.1:9"), "runs"),
    says: "a file of this name exists",
  },
  { why: "that is a file", out: () => profileFile("http://127.0.0.1:9"), says: "a file of this name exists" },
  { why: "in /proc", out: () => "/proc/runs", says: "it does not exist" },
])("an --out $why ends with one line and exit code 2", async ({ out, says }) => {
  const place = out();
  const { code, err } = await command(["conformance", "--check", "META-03", "--out", place]);
  expect(err.trim().split("\n")).toEqual([
    expect.stringContaining(`mailproof: cannot write to --out ${place}: `),
  ]);
  expect(err).toContain(says);
  expect(code).toBe(2);
});

test.for([
  {
    why: "a folder that is not there",
    path: "no-such-folder",
    says: "cannot read no-such-folder/journal.jsonl",
  },
  { why: "a folder without a journal", path: folder, says: "it does not exist" },
])("a report of $why ends with exit code 2", async ({ path, says }) => {
  const { code, err } = await command(["report", path]);
  expect(err).toContain(says);
  expect(code).toBe(2);
});
