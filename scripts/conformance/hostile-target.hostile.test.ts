import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { hostileAnswers } from "../../fixtures/test-servers/hostile-answers.ts";
import {
  type Message,
  type PaddedService,
  startPaddedService,
} from "../../fixtures/test-servers/padded-service.ts";
import { startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { harmIn } from "../../reports/hostile-text.ts";
import { exitCodes } from "../exit-codes.ts";
import { type JudgedRun, judgedRun } from "./judged-run.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mostMegabytes = 1024;
const canary = "canary-Pa55 & word";

/** A row of the table that the README of a release cites. */
function report(what: string, { code, peakMegabytes, seconds }: JudgedRun): void {
  console.log(`${what} | exit ${code} | ${Math.round(peakMegabytes)} MB | ${seconds.toFixed(1)} s`);
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

test.for(hostileAnswers)("a target that answers with $what", async ({ what, listener }) => {
  const target = await startScriptedTarget(listener);
  try {
    const judged = await judgedRun(folder, profileOf(target.url), ["metadata", "agents", "pow"], {
      CANARY: canary,
    });
    report(what, judged);
    const { code, printed, peakMegabytes, run, files } = judged;
    expect(run.checks.flatMap(({ id, defect, reason }) => (defect ? [`${id}: ${reason}`] : []))).toEqual([]);
    expect([exitCodes.violated, exitCodes.incomplete]).toContain(code);
    expect(harmIn(printed)).toBeUndefined();
    expect(printed.split("\n").filter((line) => /^\s*(?:✓ 1484|forged)/u.test(line))).toEqual([]);
    expect(peakMegabytes).toBeLessThan(mostMegabytes);
    expect(files).not.toContain(canary);
  } finally {
    await target.close();
  }
});

function profileOfService({
  addresses,
  humans,
  clockUrl,
}: PaddedService): [profile: object, env: Record<string, string>] {
  const people = humans.map(({ username }) => ({
    name: username,
    consent: { driver: "form", username, password: `env:PASSWORD_${username}` },
  }));
  const env = Object.fromEntries(humans.map(({ username, password }) => [`PASSWORD_${username}`, password]));
  return [{ ...addresses, humans: people, clock: { advance_url: clockUrl } }, env];
}

test("a conforming service with answers of 1.9 MB passes", async () => {
  const service = await startPaddedService(1_900_000);
  try {
    const judged = await judgedRun(
      folder,
      profileOfService(service)[0],
      ["agents"],
      profileOfService(service)[1],
    );
    report("a conforming service, with 1.9 MB more", judged);
    expect(
      judged.run.checks.flatMap(({ id, verdict, reason }) =>
        ["pass", "observed"].includes(verdict) ? [] : [`${id}: ${reason}`],
      ),
    ).toEqual([]);
    expect(judged.code).toBe(exitCodes.conforms);
    expect(judged.peakMegabytes).toBeLessThan(mostMegabytes);
  } finally {
    await service.close();
  }
});

const secretParameter =
  /(?<=[?&]|^)(?:code|code_verifier|refresh_token|client_secret|password|csrf_token|request)=([^&#\s]{16,})/gu;
const secretMember = /"(?:access_token|refresh_token|client_secret|apiKey)":"([^"]{16,})"/gu;
const hiddenField = /name="(?:csrf_token|request)" value="([^"]{16,})"/gu;

/** Read from the wire by patterns of its own, so that it does not know only what the mask knows. */
function secretsOf({ target, headers, body }: Message): string[] {
  const lines = headers.flatMap((name, at) =>
    at % 2 === 0 ? [`${name.toLowerCase()}: ${headers[at + 1] ?? ""}`] : [],
  );
  const texts = [target, body, ...lines];
  const found = texts.flatMap((text) =>
    [
      secretParameter,
      secretMember,
      hiddenField,
      /^set-cookie: [^=]+=([^;]{16,})/gu,
      /^authorization: \w+ (eyJ[\w-]+\.[\w-]+\.[\w-]+)$/gu,
    ].flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match[1] ?? "")),
  );
  return found.map((value) => decodeURIComponent(value));
}

test("no secret of a run is left in what it writes and prints, whatever its spelling", async () => {
  const secrets = new Set<string>();
  const service = await startPaddedService(0, (message) => {
    for (const secret of secretsOf(message)) secrets.add(secret);
  });
  try {
    const [profile, env] = profileOfService(service);
    const own = {
      ...profile,
      clients: {
        confidential: {
          client_id: "unknown",
          client_secret: "env:CANARY_SECRET",
          redirect_uris: ["https://cb.example.test/oauth/cb"],
        },
      },
      pow: { api_key: "env:CANARY_KEY" },
    };
    const canaries = { CANARY_SECRET: "canary/secret+of=the client", CANARY_KEY: "canary-k3y-0123456789" };
    const judged = await judgedRun(folder, own, ["code", "sessions", "authorize"], { ...env, ...canaries });
    report("the reference service, with canaries", judged);
    for (const value of [...Object.values(canaries), ...Object.values(env)]) secrets.add(value);
    const shown = judged.files + judged.printed;
    const left = [...secrets].filter((secret) =>
      [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64").replace(/.?=*$/u, "")].some(
        (text) => shown.includes(text),
      ),
    );
    expect(secrets.size).toBeGreaterThan(200);
    expect(left).toEqual([]);
    expect(judged.code).not.toBe(exitCodes.defect);
  } finally {
    await service.close();
  }
});
