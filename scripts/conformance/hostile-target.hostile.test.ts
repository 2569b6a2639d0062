import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { hostileAnswers } from "../../fixtures/test-servers/hostile-answers.ts";
import { startPaddedService } from "../../fixtures/test-servers/padded-service.ts";
import { startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { harmIn } from "../../reports/hostile-text.ts";
import type { Run } from "../../reports/run-format.ts";
import { exitCodes } from "../exit-codes.ts";
import { startMailproof } from "../mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mostKilobytes = 1024 * 1024;
const password = "canary-Pa55 & word";

interface Outcome {
  readonly code: number | null;
  readonly printed: string;
  readonly peakKilobytes: number;
  readonly seconds: number;
  readonly run: Run;
  readonly files: string;
}

/** A conformance run from the command line, as its user sees it. */
async function judged(
  profile: object,
  suites: readonly string[],
  env: Record<string, string>,
): Promise<Outcome> {
  const out = mkdtempSync(join(folder, "run-"));
  const path = join(out, "profile.json");
  writeFileSync(path, JSON.stringify(profile));
  const startedAt = performance.now();
  const args = [
    "conformance",
    "--target",
    path,
    "--out",
    join(out, "runs"),
    ...suites.flatMap((name) => ["--suite", name]),
  ];
  const { ended } = startMailproof(args, env, [`--import=${join(import.meta.dirname, "../peak-memory.ts")}`]);
  const { code, out: stdout, err } = await ended;
  const [id = ""] = readdirSync(join(out, "runs"));
  const names = readdirSync(join(out, "runs", id));
  return {
    code,
    printed: stdout + err,
    peakKilobytes: Number(/^peak memory: (\d+)$/mu.exec(err)?.[1]),
    seconds: (performance.now() - startedAt) / 1000,
    run: JSON.parse(readFileSync(join(out, "runs", id, "run.json"), "utf8")) as Run,
    files: names.map((name) => readFileSync(join(out, "runs", id, name), "utf8")).join("\n"),
  };
}

function profileOf(url: string): object {
  return {
    auth_url: url,
    api_url: url,
    mcp_url: url,
    humans: [{ name: "a", consent: { driver: "form", username: "anna", password: "env:CANARY" } }],
    patience_seconds: 2,
    timeout_seconds: 2,
  };
}

test.for(hostileAnswers)(
  "a target that answers with $what",
  { timeout: 120_000 },
  async ({ what, listener }) => {
    const target = await startScriptedTarget(listener);
    try {
      const outcome = await judged(profileOf(target.url), ["metadata", "agents", "pow"], {
        CANARY: password,
      });
      const { code, printed, peakKilobytes, seconds, run, files } = outcome;
      console.log(`${what} | ${code} | ${Math.round(peakKilobytes / 1024)} MB | ${seconds.toFixed(1)} s`);
      expect(run.checks.filter(({ defect }) => defect).map(({ id, reason }) => `${id}: ${reason}`)).toEqual(
        [],
      );
      expect([exitCodes.violated, exitCodes.incomplete]).toContain(code);
      expect(harmIn(printed)).toBeUndefined();
      expect(printed.split("\n").filter((line) => /^\s*(?:✓ 1484|forged)/u.test(line))).toEqual([]);
      expect(peakKilobytes).toBeLessThan(mostKilobytes);
      expect(files).not.toContain(password);
    } finally {
      await target.close();
    }
  },
);

test("a conforming service with answers of 1.9 MB passes", { timeout: 300_000 }, async () => {
  const service = await startPaddedService(1_900_000);
  try {
    const env = Object.fromEntries(
      service.humans.map(({ username, password: secret }) => [`PASSWORD_${username}`, secret]),
    );
    const humans = service.humans.map(({ username }) => ({
      name: username,
      consent: { driver: "form", username, password: `env:PASSWORD_${username}` },
    }));
    const profile = { ...service.addresses, humans, clock: { advance_url: service.clockUrl } };
    const { code, run, peakKilobytes, seconds, files } = await judged(profile, ["agents", "metadata"], env);
    console.log(
      `a conforming service, padded | ${code} | ${Math.round(peakKilobytes / 1024)} MB | ${seconds.toFixed(1)} s`,
    );
    expect(run.checks.filter(({ verdict }) => verdict !== "pass" && verdict !== "observed")).toEqual([]);
    expect(code).toBe(exitCodes.conforms);
    expect(peakKilobytes).toBeLessThan(mostKilobytes);
    for (const { password: secret } of service.humans) expect(files).not.toContain(secret);
  } finally {
    await service.close();
  }
});
