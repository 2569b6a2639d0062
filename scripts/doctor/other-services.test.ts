import { afterAll, expect, test } from "vitest";
import { startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { addressFailure } from "../../suites/support/target/preflight.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget } from "../../suites/support/target/target.ts";

const solver = createSolver();
afterAll(() => solver.close());

async function apiFailure(status: number, headers: Record<string, string>): Promise<string | undefined> {
  const server = await startScriptedTarget((_request, response) =>
    response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>Status page</h1>"),
  );
  const { url } = server;
  const profile = parseProfile({ auth_url: url, api_url: url, mcp_url: url }, "of the test");
  const run = openTarget(profile, solver, new AbortController().signal);
  try {
    return await addressFailure(run.targetFor(createEvidence()), "api_url");
  } finally {
    await run.close();
    await server.close();
  }
}

test("a framework's page is an API's when it asks for a bearer token", async () => {
  expect(await apiFailure(401, { "www-authenticate": 'Bearer realm="api"' })).toBeUndefined();
});

test.for([
  { why: "asks for a password", status: 401, headers: { "www-authenticate": "Basic" } },
  { why: "is not there", status: 404, headers: {} },
  { why: "is shown", status: 200, headers: {} },
])("a page that $why is none", async ({ status, headers }) => {
  expect(await apiFailure(status, headers)).toContain("does not look like the mail API");
});
