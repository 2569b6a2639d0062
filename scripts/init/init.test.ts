import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answering, jsonAnswer, pageOf, pathOf } from "../../fixtures/faults/equivalents/layers.ts";
import { type FrontedService, startFrontedService } from "../../fixtures/test-servers/fronted-service.ts";
import { parseProfile, loadProfile } from "../../suites/support/target/profile.ts";
import { PassThrough } from "node:stream";
import { startMailproof } from "../mailproof-process.ts";
import { addressesFrom } from "./ask.ts";
import { discover } from "./discover.ts";
import { profileText } from "./profile-text.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-init-"));
let service: FrontedService;

beforeAll(async () => {
  service = await startFrontedService();
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

function init(out: string, ...more: string[]) {
  const { auth_url: auth, api_url: api, mcp_url: mcp } = service.addresses;
  return startMailproof(["init", "--auth", auth, "--api", api, "--mcp", mcp, "--out", out, ...more]).ended;
}

test("a profile is written that a run reads, with what was found out and what is left", async () => {
  const path = join(folder, "profile.json");
  const { code, out } = await init(path);
  expect(code).toBe(0);
  expect(loadProfile(path)).toMatchObject({
    ...service.addresses,
    pow: { salt_claim: "salt", max_difficulty: 12 },
    clients: { registration: "dynamic" },
  });
  const text = readFileSync(path, "utf8");
  expect(text).toContain('the page "Sign in" at');
  expect(text).toContain("fields username (text), password (password)");
  expect(text).toContain("The driver `form` fills such pages");
  expect(text).toContain('"client_metadata"');
  expect(out).toMatch(/humans: a test person \(\d+ checks: /u);
  expect(out).toMatch(/hooks\.revoke_grants: .+ \(\d+ checks: AUTHZ-18, REVOKE-14\)/u);

  // As a person does who has the two test people.
  writeFileSync(path, text.replaceAll(/^ {2}\/\/ (?=\s*(?:"humans"|\{|\],))/gmu, "  "));
  process.env["ALICE_PASSWORD"] ??= "alice-password";
  process.env["BOB_PASSWORD"] ??= "bob-password";
  expect(loadProfile(path)).toMatchObject({ humans: [{ name: "alice", inboxes: 2 }, { name: "bob" }] });
});

test("a file that exists is replaced only with --force", async () => {
  const path = join(folder, "existing.json");
  writeFileSync(path, "mine");
  const refused = await init(path);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(`${path} exists; name another file with --out, or replace it with --force`);
  expect(readFileSync(path, "utf8")).toBe("mine");
  expect((await init(path, "--force")).code).toBe(0);
  expect(loadProfile(path)).toMatchObject(service.addresses);
});

test.for([
  { args: ["--auth", "http://127.0.0.1:1"], says: "no terminal to ask at; give --api URL --mcp URL" },
  {
    args: ["--auth", "auth.example", "--api", "http://a.example", "--mcp", "http://m.example"],
    says: '--auth expected an absolute http or https URL such as https://auth.example.com, got "auth.example"',
  },
])("without a terminal, $args ends at once", async ({ args, says }) => {
  const { code, err } = await startMailproof(["init", ...args, "--out", join(folder, "none.json")]).ended;
  expect(code).toBe(2);
  expect(err).toContain(says);
});

test("an address that does not answer is reported, and the profile is still written", async () => {
  const path = join(folder, "unreachable.json");
  const { mcp_url: mcp } = service.addresses;
  const { code, err } = await init(path, "--mcp", `${mcp}/nowhere`);
  expect(code).toBe(3);
  expect(err).toContain(`${mcp}/nowhere does not look like the MCP server`);
  expect(loadProfile(path)).toMatchObject({ mcp_url: `${mcp}/nowhere` });
});

test("at a terminal, what is not given is asked for until it can be used", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = addressesFrom({ auth: "https://auth.example" }, { input, output });
  input.write("https://api.example/\nhttps://api.example\nhttps://mcp.example\n");
  expect(await asked).toEqual({
    auth_url: "https://auth.example",
    api_url: "https://api.example",
    mcp_url: "https://mcp.example",
  });
  expect(String(output.read())).toContain("Base address of the mail API: ");
});

test("a terminal that is closed ends the questions", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = addressesFrom({}, { input, output });
  input.end();
  await expect(asked).rejects.toThrow("the input ended before all addresses were given");
});

test("what a stranger cannot find out is said in the profile", async () => {
  const layer = answering((request) => {
    const path = pathOf(request);
    if (path === "/oauth/register")
      return {
        ...jsonAnswer(403, { error: "closed" }),
        headers: [
          ["Content-Type", "application/json"],
          ["RateLimit-Limit", "5"],
        ],
      };
    if (path === "/api/v1/challenge") return pageOf(404, "Not here");
    return path === "/.well-known/oauth-authorization-server"
      ? jsonAnswer(200, { issuer: "https://other.example\n}" })
      : undefined;
  });
  const other = await startFrontedService({ layers: [layer] });
  try {
    const profile = parseProfile({ ...other.addresses }, "of the test");
    const discovery = await discover(profile, new AbortController().signal);
    const text = profileText(other.addresses, discovery);
    const path = join(folder, "closed.json");
    writeFileSync(path, text);
    expect(loadProfile(path)).toMatchObject({ ...other.addresses, humans: [] });
    expect(text).toContain('The metadata names another issuer: "https://other.example');
    expect(text).toContain("No client could be registered: registering a public client");
    expect(text).toContain("No challenge: requesting a challenge");
    expect(text).toContain("RateLimit-Limit: 5 at /oauth/register");
  } finally {
    await other.close();
  }
});
