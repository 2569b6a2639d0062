import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedService, startEmbeddedService } from "../embedded-service.ts";
import { startMailproof, whenEnded } from "../mailproof-process.ts";
import { targetVariable } from "./host-suite.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-host-"));
let service: EmbeddedService;

beforeAll(async () => {
  service = await startEmbeddedService();
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** A profile file for the reference service, whose people the environment already has passwords for. */
function profileFile(name: string, changes: Readonly<Record<string, unknown>>): string {
  const { auth_url, api_url, mcp_url, clock } = service.profile;
  const humans = service.profile.humans.map((human) => ({
    name: human.name,
    consent: {
      driver: "form",
      username: human.consent.username,
      password: `env:MAILPROOF_EMBEDDED_${human.name.toUpperCase()}_PASSWORD`,
    },
  }));
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ auth_url, api_url, mcp_url, clock, humans, ...changes }));
  return path;
}

async function underVitest(profile: string): Promise<{ code: number | null; out: string; err: string }> {
  const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--project", "conformance", "suites/metadata"];
  return whenEnded(
    spawn(process.execPath, args, {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, [targetVariable]: profile, NO_COLOR: "1", VITEST: undefined },
    }),
  );
}

test.for([
  { name: "conforms", changes: () => ({}), code: 0, says: /Tests +\d+ passed \(\d+\)/u },
  {
    name: "has a known result that no longer holds",
    changes: () => ({
      known: { "META-02": { verdict: "fail", reason: "being fixed", expires: "2999-01-01" } },
    }),
    code: 1,
    says: /META-02: known to be fail, but it is pass/u,
  },
  { name: "lacks a human", changes: () => ({ humans: [] }), code: 3, says: /\d+ skipped/u },
  {
    name: "does not answer",
    changes: () => ({ auth_url: "http://127.0.0.1:9" }),
    code: 3,
    says: /nothing listens there/u,
  },
])("a target that $name: vitest ends as the command line does", async ({ name, changes, code, says }) => {
  const profile = profileFile(name.replaceAll(" ", "-"), changes());
  // One after the other: both move the target's clock.
  const args = ["--target", profile, "--suite", "metadata", "--out", join(folder, "runs")];
  const commandLine = await startMailproof(["conformance", ...args]).ended;
  const hosted = await underVitest(profile);
  expect([commandLine.code, hosted.code]).toEqual([code, code]);
  expect(hosted.out + hosted.err).toMatch(says);
});
