import { expect, test } from "vitest";
import { startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { callHook } from "../../suites/support/actors/operator.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget } from "../../suites/support/target/target.ts";

test("answers of the operator's hooks are not answers of the target", async () => {
  const service = await startScriptedTarget((request, response) => {
    response.writeHead(request.url === "/operator/disable" ? 500 : 404).end();
  });
  const { url } = service;
  const profile = parseProfile(
    {
      auth_url: url,
      api_url: url,
      mcp_url: url,
      hooks: { disable_client: { url: `${url}/operator/disable` } },
    },
    "of the test",
  );
  const solver = createSolver();
  const run = openTarget(profile, solver, new AbortController().signal);
  try {
    const target = run.targetFor(createEvidence());
    await target.send({ method: "GET", url: `${url}/.well-known/jwks.json` });
    await expect(callHook(target, "disable_client", { client_id: "c" })).rejects.toThrow(
      "hooks.disable_client: expected 2xx",
    );
    expect(run.http.exchanges).toHaveLength(2);
    expect(target.runExchanges().map(({ request }) => new URL(request.url).pathname)).toEqual([
      "/.well-known/jwks.json",
    ]);
  } finally {
    await run.close();
    await solver.close();
    await service.close();
  }
});
