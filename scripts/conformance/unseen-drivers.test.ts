import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestBrowser } from "../../fixtures/service/oauth/test-browser.ts";
import { type RunningService, startService } from "../../fixtures/service/service.ts";
import { attempt } from "../../suites/support/actors/authorization.ts";
import { responseParameter } from "../../suites/support/actors/client-redirects.ts";
import type { ConsentRequest } from "../../suites/support/actors/consent/consent-driver.ts";
import { createManualDriver } from "../../suites/support/actors/consent/manual-driver.ts";
import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postToken,
} from "../../suites/support/actors/oauth-client.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { sharedClient } from "../../suites/support/material/clients.ts";
import { freshGrant } from "../../suites/support/material/grants.ts";
import { freePort } from "../../fixtures/service/free-port.ts";
import { suites } from "../suites.ts";
import { type DriverRun, openDriverRun } from "./driver-run.ts";

let service: RunningService;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), "mailproof-"));
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

function open(consent: object): DriverRun {
  return openDriverRun(service.addresses, { username: "alice", ...consent });
}

/** What a person who approves is sent back to. */
async function approved(
  url: string,
  scopes: readonly string[] = ["mail.read", "mail.send"],
): Promise<string> {
  const browser = createTestBrowser();
  const signIn = await browser.open(url);
  const consent = await browser.submit(signIn, { username: "alice", password: "alice-password" });
  const answer = await browser.submit(consent, {
    decision: "approve",
    ...(!scopes.includes("mail.send") && { scope: "mail.read" }),
  });
  return answer.location ?? "";
}

describe("the command driver", () => {
  function program(body: string): string[] {
    const path = join(folder, `program-${Math.random()}.mts`);
    writeFileSync(
      path,
      `import { text } from "node:stream/consumers";\nconst asked = JSON.parse(await text(process.stdin));\n${body}`,
    );
    return [process.execPath, path];
  }

  const testBrowser = new URL("../../fixtures/service/oauth/test-browser.ts", import.meta.url).href;
  const approving = (): string[] =>
    program(`import { createTestBrowser } from ${JSON.stringify(testBrowser)};
      const browser = createTestBrowser();
      const signIn = await browser.open(asked.authorization_url);
      const consent = await browser.submit(signIn, { username: asked.username, password: "alice-password" });
      const unsent = asked.scopes.includes("mail.send") ? {} : { scope: "mail.read" };
      const answer = await browser.submit(consent, { decision: asked.decision, ...unsent });
      console.log(answer.location);`);

  test.for(["approve", "approve read-only"] as const)(
    "reaches a grant of the reference service: %s",
    async (decision) => {
      const { target } = open({ driver: "command", command: approving() });
      const { tokens } = await freshGrant(target, { decision });
      expect(tokens.scope).toBe(decision === "approve" ? "mail.read mail.send" : "mail.read");
    },
  );

  test("denies", async () => {
    const { target } = open({ driver: "command", command: approving() });
    const client = await sharedClient(target, "public");
    const { end } = await attempt(target, authorizationRequest(target, client), { decision: "deny" });
    expect(end.kind === "redirect" && responseParameter(end.location, "error")).toBe("access_denied");
  });

  test.for([
    {
      why: "its standard error when it fails",
      body: 'console.error("no page called Allow"); process.exit(3);',
      says: 'ended with 3; its standard error: "no page called Allow"',
    },
    {
      why: "what it wrote that is not an address of the client",
      body: 'console.log("https://evil.test/cb?code=c");',
      says: 'was to write one address that begins with https://cb.example.test/oauth/cb or https://cb.example.test/second?tenant=7, but wrote "https://evil.test/cb?code=c"',
    },
    {
      why: "that an address only begins like the client's",
      body: 'console.log(asked.redirect_uri + ".evil.test?code=c");',
      says: "was to write one address",
    },
    {
      why: "how long it was waited for",
      body: "setTimeout(() => {}, 600_000);",
      says: "did not answer within 3 s",
    },
  ])("says $why", async ({ body, says }) => {
    const { target } = open({ driver: "command", command: program(body), timeout_seconds: 3 });
    const client = await sharedClient(target, "public");
    const failure = attempt(target, authorizationRequest(target, client));
    await expect(failure).rejects.toMatchObject({ code: "consent-stuck" });
    await expect(failure).rejects.toThrow(says);
  });

  test("says that a program cannot be started", async () => {
    const { target } = open({ driver: "command", command: [join(folder, "missing")] });
    await expect(freshGrant(target)).rejects.toThrow("missing cannot be started");
  });

  test("blocks the checks that look at pages, and says why", async () => {
    const { target } = open({ driver: "command", command: approving() });
    const checks = suites.flatMap((suite) => suite.checks).filter(({ id }) => id === "B-AUTHZ-12");
    const { results } = await runChecks(checks, target.profile);
    expect(results).toMatchObject([
      { verdict: "blocked", reason: expect.stringContaining("that of alice is command") },
    ]);
  });
});

describe("the manual driver", () => {
  const alice = { name: "alice" };
  const settings = { driver: "manual", username: "alice", timeout_seconds: 60 } as const;

  function terminal() {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = new PassThrough();
    let written = "";
    output.on("data", (chunk) => (written += String(chunk)));
    return { input, output, written: () => written };
  }

  async function requestFor({ target }: DriverRun, redirectUri?: string) {
    const client = await sharedClient(target, redirectUri === undefined ? "public" : "native");
    const request = authorizationRequest(target, client, redirectUri ? { redirect_uri: redirectUri } : {});
    const asked: ConsentRequest = {
      url: authorizationUrl(target, request.parameters),
      decision: "approve",
      scopes: ["mail.read", "mail.send"],
      redirectUris: redirectUri === undefined ? client.redirect_uris : [redirectUri],
      leaves: () => false,
    };
    return { client, request, asked };
  }

  test("reaches a grant of the reference service with an address that is pasted", async () => {
    const run = open(settings);
    const { request, asked, client } = await requestFor(run);
    const { input, output, written } = terminal();
    const driver = createManualDriver(alice, settings, { input, output });
    const journey = driver.authorize(run.target, asked);
    await expect.poll(written).toContain(asked.url);
    expect(written()).toContain("waiting up to 60 s for alice: sign in as alice, and approve everything");
    input.write("https://evil.test/cb?code=c\n");
    await expect
      .poll(written)
      .toContain("expected an address that begins with https://cb.example.test/oauth/cb");
    const location = await approved(asked.url);
    input.write(`${location}\n`);
    expect(await journey).toMatchObject({ kind: "left", location });
    const code = responseParameter(location, "code") ?? "";
    const redirectUri = client.redirect_uris[0] ?? "";
    const tokens = await postToken(
      run.target,
      codeExchange({ code, redirect_uri: redirectUri, verifier: request.verifier, client }),
    );
    expect(tokens.response.status).toBe(200);

    const again = driver.authorize(run.target, asked);
    await expect.poll(() => written().split("waiting up to").length).toBe(3);
    input.write(`${location}\n`);
    await expect.poll(written).toContain("the answer to an earlier request");
    input.write(`${location}2\n`);
    expect(await again).toMatchObject({ location: `${location}2` });
  });

  test("takes the answer by itself where the redirect_uri is on this machine", async () => {
    const run = open(settings);
    const redirectUri = `http://127.0.0.1:${await freePort()}/cb`;
    const { asked } = await requestFor(run, redirectUri);
    const { input, output, written } = terminal();
    const journey = createManualDriver(alice, settings, { input, output }).authorize(run.target, asked);
    await expect.poll(written).toContain("The answer is taken at");
    expect((await fetch(`${redirectUri}?state=s&code=c`)).status).toBe(200);
    expect(await journey).toMatchObject({ location: `${redirectUri}?state=s&code=c` });
  });

  test("says for whom it waited in vain", async () => {
    const run = open(settings);
    const { asked } = await requestFor(run);
    const hasty = { ...settings, timeout_seconds: 0.05 };
    await expect(createManualDriver(alice, hasty, terminal()).authorize(run.target, asked)).rejects.toThrow(
      "the manual driver waited 0.05 s for alice, and no answer came",
    );
  });

  test("is blocked without a terminal", async () => {
    const run = open(settings);
    const { asked } = await requestFor(run);
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const driver = createManualDriver(alice, settings, streams);
    await expect(driver.authorize(run.target, asked)).rejects.toMatchObject({
      name: "BlockedError",
      message: expect.stringContaining("the manual consent of alice needs a terminal, and there is none"),
    });
  });
});
