import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { type Ended, startMailproof } from "./mailproof-process.ts";
import { notJudged } from "../suites/unchecked.ts";
import { suites } from "./suites.ts";

// Each test starts a process, which takes seconds on a busy machine.

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
afterAll(() => rmSync(folder, { recursive: true }));

function start(args: readonly string[]): Promise<Ended> {
  const { child, ended } = startMailproof(args);
  onTestFinished(() => void child.kill("SIGKILL"));
  return ended;
}

function profileFile(content: unknown): string {
  const path = join(folder, `profile-${readdirSync(folder).length}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const urls = { auth_url: "http://127.0.0.1:9", api_url: "http://127.0.0.1:9", mcp_url: "http://127.0.0.1:9" };

test("--version prints the version of the package", async () => {
  const { code, out } = await start(["--version"]);
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
    const { code, err } = await start(args);
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
    const { code, err } = await start(["conformance", "--target", profileFile(content)]);
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  test("a port that is taken", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, err } = await start(["serve", "--port-auth", String(port)]);
    holder.close();
    expect(err).toContain(String(port));
    expect(code).toBe(2);
  });
});

test.for([
  { prefix: "bearr/alg-none", says: "there is no fault bearr/alg-none; did you mean bearer/alg-none" },
  { prefix: "none", says: "there is no fault none; ids begin with account-header/, agents/, " },
])("faults refuses --fault $prefix beside one that exists", async ({ prefix, says }) => {
  const { code, err } = await start(["faults", "--fault", "pow/", "--fault", prefix]);
  expect(err).toContain(says);
  expect(code).toBe(2);
});

test("list shows kind, level, id and the claim or question of every check, and what is not judged", async () => {
  const { code, out } = await start(["list"]);
  const shown = suites.flatMap(({ checks }) => checks).length;
  const lines = out.split("\n").filter((line) => line.startsWith("  "));
  expect(lines).toHaveLength(shown + Object.keys(notJudged).length);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}check {6}MUST {6}INT-01\/get {2}.* \[needs internal_urls\]$/u),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}OBSERVE {3}B-TOK-23 {2}.*; needs the operator's permission/u),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}check {6}MUST {6}META-02 {2}\S/u));
  expect(code).toBe(0);
});
