import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { type ScriptedTarget, startScriptedTarget } from "../fixtures/test-servers/scripted-target.ts";
import { startService } from "../fixtures/service/service.ts";
import { startMailproof } from "./mailproof-process.ts";
import { notJudged } from "../suites/unchecked.ts";
import { suites } from "./suites.ts";

// Each test starts a process, which takes seconds on a busy machine.

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
const children: ChildProcess[] = [];
const targets: ScriptedTarget[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(targets.splice(0).map((target) => target.close()));
});

afterAll(() => rmSync(folder, { recursive: true }));

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const started = startMailproof(args, env);
  children.push(started.child);
  return started;
}

function profileFile(content: unknown): string {
  const path = join(folder, `profile-${readdirSync(folder).length}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const urls = { auth_url: "http://127.0.0.1:9", api_url: "http://127.0.0.1:9", mcp_url: "http://127.0.0.1:9" };

async function scripted(answer: Parameters<typeof startScriptedTarget>[0]): Promise<ScriptedTarget> {
  const target = await startScriptedTarget(answer);
  targets.push(target);
  return target;
}

function judging(
  target: { url: string },
  more: Readonly<Record<string, unknown>> = {},
  args: readonly string[] = [],
) {
  const profile = profileFile({ auth_url: target.url, api_url: target.url, mcp_url: target.url, ...more });
  const out = mkdtempSync(join(folder, "runs-"));
  return { ...start(["conformance", "--target", profile, "--out", out, ...args]), out };
}

function onlyRun(out: string): {
  isComplete: boolean;
  checks: { id: string; verdict: string; reason?: string }[];
} {
  const [id = ""] = readdirSync(out);
  return JSON.parse(readFileSync(join(out, id, "run.json"), "utf8")) as ReturnType<typeof onlyRun>;
}

test("--version prints the version of the package", async () => {
  const { code, out } = await start(["--version"]).ended;
  expect({ code, out }).toEqual({ code: 0, out: `${packageJson.version}\n` });
});

describe("what cannot be used ends with exit code 2 and says why", () => {
  test.for([
    {
      why: "a mistyped command",
      args: ["conformence"],
      says: "there is no command conformence; did you mean conformance?",
    },
    { why: "a mistyped option", args: ["conformance", "--traget", "x"], says: "--traget" },
    {
      why: "a store of the reference service for a target",
      args: ["conformance", "--target", "profile.json", "--nodes", "2"],
      says: "--nodes is for the reference service, so it cannot be used with --target",
    },
    {
      why: "nodes without a database",
      args: ["load", "--nodes", "2"],
      says: "--nodes and --node need --database",
    },
    {
      why: "a database that cannot be reached",
      args: ["conformance", "--database", "postgresql://user@127.0.0.1:9/mail"],
      says: "cannot use the database postgresql://127.0.0.1:9/mail",
    },
    {
      why: "an unknown suite",
      args: ["conformance", "--suite", "pkse"],
      says: "there is no suite pkse; did you mean pkce?",
    },
    {
      why: "an unknown check",
      args: ["conformance", "--check", "PKCE-99"],
      says: "no check is called PKCE-99",
    },
    {
      why: "a requirement of another suite than the one that is named",
      args: ["conformance", "--check", "REDIR-09", "--suite", "refresh"],
      says: "REDIR-09 is not in suite refresh; it is in redirect-uri: give --suite redirect-uri, or leave out --suite",
    },
    {
      why: "a module of checks that is not there",
      args: ["conformance", "--checks", "no-such-checks.js"],
      says: "--checks no-such-checks.js: there is no such file",
    },
    {
      why: "a module of checks that is not JavaScript",
      args: ["list", "--checks", "README.md"],
      says: "--checks README.md: cannot be loaded",
    },
    {
      why: "an unknown reporter",
      args: ["conformance", "--reporter", "xunit"],
      says: "--reporter xunit: there is no reporter xunit; there are terminal, html, junit",
    },
    {
      why: "an unknown extent of evidence",
      args: ["report", "runs/1", "--evidence", "all"],
      says: "--evidence all: give needed or full",
    },
    {
      why: "a key of the mail store that is not there",
      args: [
        "serve",
        "--mail-store=http://127.0.0.1:9",
        "--mail-store-key=no-such-key.pem",
        "--mail-store-lmtp=127.0.0.1:24",
        "--port-submission=0",
      ],
      says: "the key of the mail store cannot be read",
    },
    { why: "an unknown schema", args: ["schema", "load"], says: "schema load: give profile or run" },
    {
      why: "a profile that is not there",
      args: ["conformance", "--target", "no-such-file.json"],
      says: "no-such-file.json",
    },
    {
      why: "an address in place of a profile",
      args: ["conformance", "--target", "https://auth.example.com"],
      says: "`mailproof init --auth https://auth.example.com` writes one",
    },
  ])("$why", async ({ args, says }) => {
    const { code, err } = await start(args).ended;
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test.for([
    { why: "a file that is not JSON", content: "{", says: "is not JSON" },
    { why: "a missing URL", content: { ...urls, auth_url: undefined }, says: "auth_url" },
    {
      why: "a mistyped scheme",
      content: { ...urls, api_url: "htp://api.example.com" },
      says: "api_url: expected an absolute http or https URL",
    },
    {
      why: "a URL without a scheme",
      content: { ...urls, mcp_url: "mcp.example.com" },
      says: "mcp_url: expected an absolute http or https URL",
    },
    {
      why: "a trailing slash",
      content: { ...urls, auth_url: "https://auth.example.com/" },
      says: "auth_url: has a trailing slash",
    },
    {
      why: "an unknown key",
      content: { ...urls, human: [] },
      says: 'unknown key "human"; did you mean "humans"?',
    },
    {
      why: "an unknown key further down",
      content: { ...urls, pow: { maxDifficulty: 4 } },
      says: 'pow: unknown key "maxDifficulty"; did you mean "max_difficulty"?',
    },
    {
      why: "a secret that stands in the file",
      content: {
        ...urls,
        humans: [{ name: "a", consent: { driver: "form", username: "a", password: "hunter22" } }],
      },
      says: "humans.0.consent.password: expected a reference",
    },
    {
      why: "a variable that is not set",
      content: {
        ...urls,
        humans: [{ name: "a", consent: { driver: "form", username: "a", password: "env:NO_SUCH_VARIABLE" } }],
      },
      says: "the environment variable NO_SUCH_VARIABLE, which is not set",
    },
    {
      why: "a secret file that is not there",
      content: { ...urls, pow: { api_key: "file:no-such-secret" } },
      says: "the file no-such-secret, which cannot be read",
    },
    {
      why: "a known result of a check that does not exist",
      content: {
        ...urls,
        known: { "META-2": { verdict: "fail", reason: "being fixed", expires: "2099-01-01" } },
      },
      says: 'known: there is no check "META-2"; did you mean META-02',
    },
  ])("a profile with $why", async ({ content, says }) => {
    const { code, err } = await start(["conformance", "--target", profileFile(content)]).ended;
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test("a port that is taken", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, err } = await start(["serve", "--port-auth", String(port)]).ended;
    holder.close();
    expect(err).toContain(String(port));
    expect(code).toBe(2);
  });
});

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
  const { child, ended, out } = judging(target, { timeout_seconds: 20 }, [
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
  const run = onlyRun(out);
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
    const profile = profileFile({
      auth_url: authUrl,
      api_url: apiUrl,
      mcp_url: mcpUrl,
      humans: [
        { name: "a", consent: { driver: "form", username: human?.username, password: "env:HUMAN_PASSWORD" } },
      ],
    });
    const out = mkdtempSync(join(folder, "runs-"));
    const selection = ["--check", "META-03", "--check", "TOKEN-06/late-exchange"];
    const { child, ended } = start(["conformance", "--target", profile, "--out", out, ...selection], {
      HUMAN_PASSWORD: human?.password ?? "",
    });
    // The run begins with two grants; with the third, the other check has its code and waits for twenty seconds.
    await answered("POST", "/oauth/consent", 3);
    child.kill("SIGINT");
    const { code, err } = await ended;
    const run = onlyRun(out);
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

test.for([
  { prefix: "bearr/alg-none", says: "there is no fault bearr/alg-none; did you mean bearer/alg-none" },
  { prefix: "none", says: "there is no fault none; ids begin with account-header/, agents/, " },
])("faults refuses --fault $prefix beside one that exists", async ({ prefix, says }) => {
  const { code, err } = await start(["faults", "--fault", "pow/", "--fault", prefix]).ended;
  expect(err).toContain(says);
  expect(code).toBe(2);
});

test("list shows kind, level, id and the claim or question of every check, and what is not judged", async () => {
  const { code, out } = await start(["list"]).ended;
  const shown = suites.flatMap(({ checks }) => checks).length;
  const lines = out.split("\n").filter((line) => line.startsWith("  "));
  expect(lines).toHaveLength(shown + Object.keys(notJudged).length);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}check {6}MUST {6}INT-01\/get {2}.* \[needs internal_urls\]$/u),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}OBSERVE {3}B-TOK-23 {2}.*; needs the operator's leave/u),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}check {6}MUST {6}META-02 {2}\S/u));
  expect(code).toBe(0);
});
