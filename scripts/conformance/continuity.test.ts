import { expect, test } from "vitest";
import { startService } from "../../fixtures/service/service.ts";
import { endedClients, obtainCode } from "../../suites/support/actors/authorization.ts";
import { authorizationRequest } from "../../suites/support/actors/oauth-client.ts";
import { postRegister } from "../../suites/support/actors/registration.ts";
import { check } from "../../suites/support/judging/check.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { clientFor } from "../../suites/support/material/clients.ts";
import { redirectUris, registrationMetadata } from "../../suites/support/material/registrations.ts";
import { Violation } from "../../suites/support/verdict.ts";
import { jsonMembers } from "../../suites/support/wire/exchange.ts";
import { embeddedProfile } from "../embedded-service.ts";

const redirect_uri = redirectUris.main;

const narrowClient = check({
  id: "SCOPE-01/narrow-client",
  claim: "A client that is registered for `mail.read` alone gets a code for it.",
  async act(target) {
    const metadata = {
      redirect_uris: [redirect_uri],
      scope: "mail.read",
      token_endpoint_auth_method: "none",
    } as const;
    const registration = await postRegister(target, registrationMetadata(metadata));
    const client = {
      client_id: String(jsonMembers(registration)["client_id"]),
      redirect_uris: [redirect_uri],
    };
    await obtainCode(target, authorizationRequest(target, client, { scope: "mail.read" }));
    return registration;
  },
  assert: () => undefined,
});

const violated = check({
  id: "SCOPE-02/violated",
  claim: "Nothing holds.",
  last: true,
  act: async () => undefined,
  assert() {
    throw new Violation("something", "nothing");
  },
});

test("a client that may not make every request is not taken for one that was lost in a restart", async () => {
  const service = await startService();
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const addresses = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
    const profile = embeddedProfile({ addresses, humans: service.configuration.humans });
    const outcome = await runChecks([narrowClient, violated], profile);

    expect(outcome.disturbances).toEqual({ lost: 0, restarts: [] });
    expect(outcome.results.map(({ verdict }) => verdict)).toEqual(["pass", "fail"]);
  } finally {
    await service.close();
  }
});

test("a client that a check had disabled is not taken for one that was lost in a restart", async () => {
  const service = await startService();
  const disabled = check({
    id: "AUTHZ-07/disabled",
    claim: "A client gets a code before it is disabled.",
    async act(target) {
      const client = await clientFor(target, "public", "to-be-disabled");
      await obtainCode(target, authorizationRequest(target, client));
      target.note(endedClients, client.client_id);
      await service.operator.disableClient(client.client_id);
    },
    assert: () => undefined,
  });
  try {
    const { authUrl, apiUrl, mcpUrl } = service.addresses;
    const addresses = { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl };
    const profile = embeddedProfile({ addresses, humans: service.configuration.humans });
    const { disturbances } = await runChecks([disabled, violated], profile);
    expect(disturbances.restarts).toEqual([]);
  } finally {
    await service.close();
  }
});
