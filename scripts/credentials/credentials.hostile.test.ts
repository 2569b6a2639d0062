import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type RunningService } from "../../fixtures/service/service.ts";
import { type JudgedRun, judgedRun } from "../conformance/judged-run.ts";
import { startMailproof } from "../mailproof-process.ts";
import { referenceHumans } from "../start-target/reference-target.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-credentials-"));
const file = join(folder, "state/credentials.json");
// Those that share clients and agents, and register none of their own.
const suites = ["pkce", "sessions"];

let service: RunningService;

beforeAll(async () => {
  service = await startService({ configuration: { testClock: true, pow: { difficultyBits: 2 } } });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

function profile(): object {
  const { authUrl: auth_url, apiUrl: api_url, mcpUrl: mcp_url } = service.addresses;
  const clock = { advance_url: "{auth_url}/test/clock" };
  return { auth_url, api_url, mcp_url, humans: referenceHumans(), clock };
}

function judge(): Promise<JudgedRun> {
  return judgedRun(folder, profile(), suites, {}, ["--credentials", file]);
}

interface Kept {
  readonly clients: Readonly<Record<string, { readonly client_id: string; readonly client_secret?: string }>>;
  readonly agents: Readonly<Record<string, { readonly apiKey: string }>>;
}

function kept(): Kept {
  const content = JSON.parse(readFileSync(file, "utf8")) as { targets: Record<string, Kept> };
  return content.targets[service.addresses.authUrl] ?? { clients: {}, agents: {} };
}

/** What a run has made on the target. */
function made({ run }: JudgedRun): { readonly clients: number; readonly agents: number } {
  const { clients = [], agents = [] } = run.leftBehind ?? {};
  return { clients: clients.length, agents: agents.length };
}

test("a second run uses the clients and agents of the first, and replaces those that the target has forgotten", async () => {
  const first = await judge();
  expect(first).toMatchObject({ code: 0 });
  const before = kept();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.keys(before.clients).length).toBeGreaterThan(0);
  expect(Object.keys(before.agents).length).toBeGreaterThan(2);

  const second = await judge();
  expect(second).toMatchObject({ code: 0 });
  expect(kept()).toEqual(before);
  // What checks make for themselves is made in each run.
  expect(made(second)).toEqual({
    clients: made(first).clients - Object.keys(before.clients).length,
    agents: made(first).agents - Object.keys(before.agents).length,
  });
  for (const { apiKey } of Object.values(before.agents)) expect(second.files).not.toContain(apiKey);

  const forgotten = before.clients["public"]?.client_id ?? "";
  await service.operator.disableClient(forgotten);
  const third = await judge();
  expect(third).toMatchObject({ code: 0 });
  expect(kept().clients["public"]?.client_id).not.toBe(forgotten);
  expect(made(third).clients).toBe(made(second).clients + 1);
});

test("a file that others can read is refused", async () => {
  const shared = join(folder, "shared.json");
  writeFileSync(shared, JSON.stringify({ targets: {} }), { mode: 0o640 });
  const profilePath = join(folder, "profile.json");
  writeFileSync(profilePath, JSON.stringify(profile()));
  const options = ["--target", profilePath, "--out", join(folder, "out"), "--credentials", shared];
  const { code, err } = await startMailproof(["conformance", ...options]).ended;
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("chmod 600") as string });
});
