import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../fixtures/service/service.ts";
import { exitCodes } from "../exit-codes.ts";
import { judgedRun } from "./judged-run.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-read-only-"));
let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test("a read-only run sends nothing that could make or change something, and conforms with what it could judge", async () => {
  const { authUrl, apiUrl, mcpUrl } = service.addresses;
  const consent = { driver: "form", username: "alice", password: "env:READ_ONLY_PASSWORD" };
  const profile = {
    auth_url: authUrl,
    api_url: apiUrl,
    mcp_url: mcpUrl,
    humans: [{ name: "alice", consent }],
  };
  const env = { READ_ONLY_PASSWORD: "correct horse" };
  const { code, printed, run } = await judgedRun(folder, profile, ["metadata", "token", "pow"], env, [
    "--read-only",
  ]);

  expect(code).toBe(exitCodes.conforms);
  expect(run).toMatchObject({ isReadOnly: true, ledger: { registrations: 0, grants: 0, sign_ups: 0 } });
  expect(run.counts.pass).toBeGreaterThan(30);
  expect(run.counts.blocked).toBeGreaterThan(100);
  const sent = run.exchanges.map(({ request }) => `${request.method} ${new URL(request.url).pathname}`);
  expect(
    sent.filter((line) => !/^(?:GET|HEAD|OPTIONS) /u.test(line) && line !== "POST /api/v1/challenge"),
  ).toEqual([]);
  expect(printed).toContain("it makes nothing: --read-only");
  expect(printed).toContain("nothing was made on the target");
  expect(printed).not.toContain("passwords were typed");
});
