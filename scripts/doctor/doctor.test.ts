import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startMailproof } from "../mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-doctor-"));

afterAll(() => rmSync(folder, { recursive: true }));

test("the embedded reference service has everything", async () => {
  const { code, out } = await startMailproof(["doctor"]).ended;
  expect(out).toMatch(/everything that a run needs is there: \d+ checks can be judged/u);
  expect(out).toMatch(/left behind: (\d+) of \1 clients, no grants \(\d+ made, all revoked\), 1 agent, /u);
  expect(out).not.toContain("✗");
  expect(code).toBe(0);
});

test("what is missing stands with the checks that it blocks, and the exit code is 3", async () => {
  const path = join(folder, "nobody-there.json");
  const url = "http://no-such-host.invalid";
  writeFileSync(path, JSON.stringify({ auth_url: url, api_url: url, mcp_url: url }));
  const { code, out } = await startMailproof(["doctor", "--target", path]).ended;
  expect(out).toMatch(/✗ auth_url .*does not resolve.*\n.*fix: .*\n +blocks all \d+ checks\n/u);
  expect(out).toMatch(/✗ mcp_url .*\n.*\n +blocks \d+ of \d+ checks: .*MCP-01/u);
  expect(out).toContain("· metadata       not tried: it needs auth_url");
  expect(code).toBe(3);
});

test("a profile that cannot be used ends with 2", async () => {
  const { code, err } = await startMailproof(["doctor", "--target", join(folder, "none.json")]).ended;
  expect(err).toContain("the profile cannot be read");
  expect(code).toBe(2);
});
