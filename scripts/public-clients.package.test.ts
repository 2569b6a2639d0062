import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UnauthorizedError, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as openid from "openid-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { at, listAt, textAt } from "../fixtures/service/mail/request/json-at.ts";
import { missingPostgres } from "../fixtures/service/store/postgres/test-server.ts";
import { nameWhatIsMissing } from "../fixtures/service/name-what-is-missing.ts";
import { openSession, postJson, solve } from "./kill-service/caller.ts";
import { approve, redirectUri } from "./public-clients/approve.ts";
import { openJmapJam } from "./public-clients/jmap-jam.ts";
import { settings, type Sandbox } from "./public-clients/settings.ts";

nameWhatIsMissing("clients of two nodes", missingPostgres());

describe.for(settings)("with the sandbox $name", ({ open }) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await open();
  });
  afterAll(() => sandbox.close());

  test.for(["none", "client_secret_post"])(
    "openid-client registers, gets tokens, uses, refreshes and revokes them with %s",
    async (method) => {
      const config = await openid.dynamicClientRegistration(
        new URL(sandbox.auth_url),
        { redirect_uris: [redirectUri], token_endpoint_auth_method: method },
        undefined,
        {
          algorithm: "oauth2",
          execute: [openid.allowInsecureRequests],
          [openid.customFetch]: (url, options) => sandbox.fetch(url, options as RequestInit),
        },
      );
      const resource = `${sandbox.api_url}/jmap`;
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const expectedState = openid.randomState();
      const authorization = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "mail.read mail.send",
        resource,
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      });
      const answer = await approve(authorization);
      const tokens = await openid.authorizationCodeGrant(
        config,
        answer,
        { pkceCodeVerifier, expectedState },
        { resource },
      );
      const agents = new URL(`${sandbox.auth_url}/api/v1/agents`);
      const use = (token: string): Promise<Response> =>
        openid.fetchProtectedResource(config, token, agents, "GET");
      expect((await use(tokens.access_token)).status).toBe(200);
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", { resource });
      expect(refreshed.scope).toBe("mail.read mail.send");
      await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
      await expect(use(refreshed.access_token)).rejects.toMatchObject({ status: 401 });
    },
  );

  test("jmap-jam reads, writes and sends the mail of an agent", async () => {
    const capability = await capabilityOf(sandbox);
    vi.stubGlobal("fetch", sandbox.fetch);
    try {
      const jam = await openJmapJam(capability, `${sandbox.api_url}/.well-known/jmap`);
      const accountId = await jam.getPrimaryAccount();
      const { username } = await jam.session;
      const call = async (method: string, args: object): Promise<unknown> =>
        (await jam.request([method, { accountId, ...args }]))[0];
      const draftsId = textAt(await call("Mailbox/query", { filter: { role: "drafts" } }), "ids", 0);
      const draft = {
        mailboxIds: { [draftsId]: true },
        from: [{ email: username }],
        to: [{ email: username }],
        subject: "by jmap-jam",
        textBody: [{ partId: "1", type: "text/plain" }],
        bodyValues: { 1: { value: "Grüße" } },
      };
      const emailId = textAt(await call("Email/set", { create: { draft } }), "created", "draft", "id");
      const identityId = textAt(await call("Identity/get", {}), "list", 0, "id");
      const sent = await call("EmailSubmission/set", { create: { sent: { emailId, identityId } } });
      expect(at(sent, "created", "sent", "id")).toEqual(expect.any(String));
      const [{ inbox, received }] = await jam.requestMany(({ Mailbox, Email }) => {
        const inbox = Mailbox.query({ accountId, filter: { role: "inbox" } });
        const found = Email.query({ accountId, filter: { subject: "jmap-jam" } });
        const properties = ["subject", "mailboxIds"];
        const received = Email.get({ accountId, ids: found.$ref("/ids"), properties });
        return { inbox, found, received };
      });
      const inboxId = textAt(inbox, "ids", 0);
      const arrived = listAt(received, "list").filter((email) => at(email, "mailboxIds", inboxId) === true);
      expect(arrived.map((email) => at(email, "subject"))).toEqual(["by jmap-jam"]);
      const blob = await jam.uploadBlob(accountId, "a blob");
      const download = { accountId, blobId: blob.blobId, mimeType: "text/plain", fileName: "a.txt" };
      expect(await (await jam.downloadBlob(download)).text()).toBe("a blob");
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("the MCP SDK finds the authorization server, registers, gets tokens and calls tools", async () => {
    const provider = memoryProvider();
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(transportOf() as Parameters<Client["connect"]>[0]);
      return client;
    };
    const transportOf = (): StreamableHTTPClientTransport =>
      new StreamableHTTPClientTransport(new URL(`${sandbox.mcp_url}/mcp`), {
        authProvider: provider,
        fetch: sandbox.fetch,
      });
    await expect(connect()).rejects.toBeInstanceOf(UnauthorizedError);
    const answer = await approve(provider.sentTo());
    await transportOf().finishAuth(answer.searchParams.get("code") ?? "");
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("send_mail");
    const result = await client.callTool({ name: "list_inboxes", arguments: {} });
    expect(JSON.stringify(result.content)).toContain("alice-work");
    await client.close();
  });
});

/** Signs an agent up. */
async function capabilityOf({ auth_url, api_url, mcp_url }: Sandbox): Promise<string> {
  const addresses = { auth_url, api_url, mcp_url };
  const session = await openSession(addresses, await solve(addresses), { username: "jam" });
  return (await postJson(`${auth_url}/api/v1/capability`, {}, session.bearer)).bearer;
}

/** Keeps in memory what the SDK has it keep, and where it sends the browser. */
function memoryProvider(): OAuthClientProvider & { sentTo(): URL } {
  let information: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  let verifier = "";
  let authorization: URL | undefined;
  return {
    redirectUrl: redirectUri,
    clientMetadata: {
      redirect_uris: [redirectUri],
      client_name: "MCP client",
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => information,
    saveClientInformation: (given) => void (information = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (authorization = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    // The document wants one.
    state: () => randomUUID(),
    sentTo() {
      if (authorization === undefined) throw new Error("the browser was sent nowhere");
      return authorization;
    },
  };
}
