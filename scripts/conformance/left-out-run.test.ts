import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../fixtures/service/service.ts";
import { exitCodes } from "../exit-codes.ts";
import { judgedRun } from "./judged-run.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-left-out-"));
let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

test("a profile without a key leaves out the checks that need it, says so, and still conforms", async () => {
  const { authUrl, apiUrl, mcpUrl } = service.addresses;
  const profile = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
  const { code, printed, run } = await judgedRun(folder, profile, ["client-metadata"], {});

  expect(code).toBe(exitCodes.conforms);
  expect(run.checks.map(({ id }) => id)).toContain("CIMD-04/http");
  expect(run.checks.map(({ verdict }) => verdict)).not.toContain("blocked");
  const [published] = run.leftOut.filter(({ needs }) => needs.startsWith("client_metadata: "));
  expect(published?.checks).toContain("CIMD-01/accepted");
  const leftOut = printed.split("not judged, for lack of a key in the profile:\n")[1];
  expect(leftOut).toMatch(/^ {2}\d+ checks need client_metadata: /mu);
});
