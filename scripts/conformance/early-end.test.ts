import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../../fixtures/service/service.ts";
import { type ScriptedTarget, startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { startMailproof } from "../mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));

afterAll(() => rmSync(folder, { recursive: true }));

async function scripted(answer: Parameters<typeof startScriptedTarget>[0]): Promise<ScriptedTarget> {
  const target = await startScriptedTarget(answer);
  onTestFinished(() => target.close());
  return target;
}

/** Starts a run and ends it with its test. */
function conformance(profile: unknown, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out = mkdtempSync(join(folder, "runs-"));
  const path = join(out, "profile.json");
  writeFileSync(path, JSON.stringify(profile));
  const started = startMailproof(["conformance", "--target", path, "--out", join(out, "runs"), ...args], env);
  onTestFinished(() => void started.child.kill("SIGKILL"));
  return { ...started, runs: join(out, "runs") };
}

function judging(
  target: { url: string },
  more: Readonly<Record<string, unknown>> = {},
  args: readonly string[] = [],
) {
  return conformance({ auth_url: target.url, api_url: target.url, mcp_url: target.url, ...more }, args);
}

function onlyRun(runs: string): {
  isComplete: boolean;
  checks: { id: string; verdict: string; reason?: string }[];
} {
  const [id = ""] = readdirSync(runs);
  return JSON.parse(readFileSync(join(runs, id, "run.json"), "utf8")) as ReturnType<typeof onlyRun>;
}

describe("a target that cannot be judged ends with exit code 3 and one message", () => {
  test("nothing listens", async () => {
    const { code, err, out } = await judging({ url: "http://127.0.0.1:9" }).ended;
    expect(err).toContain("the connection was refused; nothing listens there");
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(out).toContain("run.json");
    expect(code).toBe(3);
  });

  test("HTML everywhere", async () => {
    const target = await scripted((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>"),
    );
    const { code, err } = await judging(target).ended;
    expect(err).toContain("does not look like the authorization service");
    expect(code).toBe(3);
  });

  test("no answer ever", async () => {
    const target = await scripted(() => {});
    const { code, err } = await judging(target, { timeout_seconds: 0.3 }).ended;
    expect(err).toContain("no complete answer within 0.3 s");
    expect(code).toBe(3);
  });

  test("an answer without end", async () => {
    const target = await scripted((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): boolean =>
        !response.destroyed && response.write("x".repeat(65_536), () => void more());
      more();
    });
    const { code, err } = await judging(target).ended;
    expect(err).toContain("the answer went on past 2097152 bytes");
    expect(code).toBe(3);
  });

  test("a limit on requests that does not end", async () => {
    const target = await scripted((_request, response) =>
      response.writeHead(429, { "retry-after": "600" }).end(),
    );
    const { code, err } = await judging(target, { patience_seconds: 1 }).ended;
    expect(err).toContain("still answered 429");
    expect(code).toBe(3);
  });
});

test("Ctrl-C in the middle keeps what was judged", async () => {
  const metadata = JSON.stringify({ issuer: "elsewhere" });
  let hanging: (() => void) | undefined;
  const isHanging = new Promise<void>((resolve) => (hanging = resolve));
  const target = await scripted((request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-authorization-server"))
      response.setHeader("content-type", "application/json").end(metadata);
    else if (request.url?.includes("oauth-protected-resource")) hanging?.();
    else response.writeHead(404).end();
  });
  const { child, ended, runs } = judging(target, { timeout_seconds: 20 }, [
    "--check",
    "META-02",
    "--check",
    "B-PRM-02",
  ]);
  await isHanging;
  // Its violation is shown as soon as it is judged, while the other check hangs.
  await new Promise<void>((resolve) =>
    child.stderr?.on("data", (part: Buffer) => void (part.includes("✗ META-02") && resolve())),
  );
  child.kill("SIGINT");
  const { code, err } = await ended;
  const run = onlyRun(runs);
  expect(err).toContain("interrupted: writing what was judged");
  expect(run).toMatchObject({ isComplete: false });
  expect(run.checks).toContainEqual(expect.objectContaining({ id: "META-02", verdict: "fail" }));
  // A violation that was found stays one.
  expect(code).toBe(1);
});

/** Resolves when servers of this process have answered so many of these requests. */
function answered(method: string, path: string, count: number): Promise<void> {
  const channel = "http.server.response.finish";
  let seen = 0;
  return new Promise((resolve) => {
    const look = (message: unknown): void => {
      const { request } = message as { request: IncomingMessage };
      if (request.method === method && request.url === path) seen += 1;
      if (seen < count) return;
      unsubscribe(channel, look);
      resolve();
    };
    subscribe(channel, look);
  });
}

test("Ctrl-C during a wait in real time is an interruption, not a defect", async () => {
  const service = await startService();
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const [human] = service.configuration.humans;
    const profile = {
      auth_url: authUrl,
      api_url: apiUrl,
      mcp_url: mcpUrl,
      humans: [
        { name: "a", consent: { driver: "form", username: human?.username, password: "env:HUMAN_PASSWORD" } },
      ],
    };
    const selection = ["--check", "META-03", "--check", "TOKEN-06/late-exchange"];
    const { child, ended, runs } = conformance(profile, selection, { HUMAN_PASSWORD: human?.password ?? "" });
    // The run begins with four grants; with the fifth, the other check has its code and waits for twenty seconds.
    await answered("POST", "/oauth/consent", 5);
    child.kill("SIGINT");
    const { code, err } = await ended;
    const run = onlyRun(runs);
    expect(err).toContain("interrupted: writing what was judged");
    expect(run.isComplete).toBe(false);
    expect(run.checks).toEqual([
      expect.objectContaining({ id: "META-03", verdict: "pass" }),
      expect.objectContaining({
        id: "TOKEN-06/late-exchange",
        verdict: "inconclusive",
        reason: "the run was interrupted",
      }),
    ]);
    expect(code).toBe(3);
  } finally {
    await service.close();
  }
});
