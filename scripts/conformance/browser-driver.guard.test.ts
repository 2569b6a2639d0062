import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../fixtures/service/service.ts";
import { startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { attempt, codeIn } from "../../suites/support/actors/authorization.ts";
import { responseParameter } from "../../suites/support/actors/client-redirects.ts";
import { nameWhatIsMissing } from "../../fixtures/service/name-what-is-missing.ts";
import { closePages } from "../../suites/support/actors/chromium/close-pages.ts";
import { findChromium } from "../../suites/support/actors/chromium/find-chromium.ts";
import { launchChromium } from "../../suites/support/actors/chromium/launch-chromium.ts";
import { unexpectedPages } from "../../suites/support/actors/chromium/mismatch.ts";
import { totpCode, totpCounter, totpSettings } from "../../suites/support/actors/chromium/totp.ts";
import { passwordOrigins } from "../../suites/support/actors/consent/sign-in-origins.ts";
import { authorizationRequest } from "../../suites/support/actors/oauth-client.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { sharedClient } from "../../suites/support/material/clients.ts";
import { freshGrant } from "../../suites/support/material/grants.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { suites } from "../suites.ts";
import { type DriverRun, openDriverRun, passwordVariable } from "./driver-run.ts";

const opened: { close(): Promise<void> }[] = [];
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

afterEach(async () => {
  await Promise.all(opened.splice(0).map((it) => it.close()));
});

const consent = {
  driver: "browser",
  username: "alice",
  password: `env:${passwordVariable}`,
  timeout_seconds: 60,
  sign_in: [
    { fill: { label: "User name" }, value: "{username}" },
    { fill: { label: "Password" }, value: "{password}" },
    { click: { role: "button", name: ["Anmelden", "sign in"] } },
  ],
  approve: [
    { click: { text: "Accept cookies" }, optional: true },
    { click: { role: "button", name: "Approve" } },
  ],
  deny: [{ click: { role: "button", name: "Deny" } }],
  read_only: [
    { uncheck: { id: "scope-mail.send" } },
    { click: { css: 'button[name="decision"][value="approve"]' } },
  ],
  new_inbox: [
    { check: { label: "A new inbox" } },
    { fill: { label: "Name of the new inbox" }, value: "{new_inbox}" },
    { click: { role: "button", name: "Approve" } },
  ],
};

function open(...args: Parameters<typeof openDriverRun>): DriverRun {
  const run = openDriverRun(...args);
  opened.push(run);
  return run;
}

const openHere = (more: object = {}, options = {}) =>
  open(service.addresses, { ...consent, ...more }, options);

const hasChromium = (() => {
  try {
    return findChromium({}) !== undefined;
  } catch {
    return false;
  }
})();

/** Where passwords went: sign-ins at the identity provider. */
const signIns = ({ run }: DriverRun) =>
  run.http.exchanges.filter(({ request }) => request.body.includes("password="));

nameWhatIsMissing("the browser driver", hasChromium ? undefined : "Chromium is not installed");

describe.skipIf(!hasChromium)("the browser driver", () => {
  test.for(["approve", "approve read-only", "approve with a new inbox"] as const)(
    "reaches a grant of the reference service through its identity provider: %s",
    async (decision) => {
      const { target } = openHere();
      const { tokens } = await freshGrant(target, { decision });
      expect(tokens.scope).toBe(decision === "approve read-only" ? "mail.read" : "mail.read mail.send");
    },
  );

  test("denies", async () => {
    const { target } = openHere();
    const client = await sharedClient(target, "public");
    const { end } = await attempt(target, authorizationRequest(target, client), { decision: "deny" });
    expect(end.kind === "redirect" && responseParameter(end.location, "error")).toBe("access_denied");
  });

  test("says which steps are missing for a decision", async () => {
    const { target } = openHere({ deny: undefined });
    const client = await sharedClient(target, "public");
    const denied = attempt(target, authorizationRequest(target, client), { decision: "deny" });
    await expect(denied).rejects.toThrow("add humans[].consent.deny to the profile");
  });

  test("records the documents of the way as exchanges, the redirect to the client included", async () => {
    const { target } = openHere();
    const client = await sharedClient(target, "public");
    const { end, hops } = await attempt(target, authorizationRequest(target, client));
    expect(end).toMatchObject({ kind: "redirect", exchange: { request: { method: "POST" } } });
    const pages = hops().filter(({ response }) => response.body.includes("<h1>"));
    expect(pages.map(({ response }) => response.status)).toEqual([200, 200]);
    const lines = hops().flatMap(({ request, response }) => [...request.headers, ...response.headers]);
    const cookies = lines.filter(([name]) => name.toLowerCase().endsWith("cookie"));
    expect(cookies).toContainEqual(["Cookie", expect.stringMatching(/^[\w.]+=…(; [\w.]+=…)*$/u)]);
    expect(cookies.map(([name]) => name.toLowerCase())).toContain("set-cookie");
    expect(pages.at(-1)?.response.headers.map(([name]) => name.toLowerCase())).toContain(
      "content-security-policy",
    );
  });

  test("signs in once a run, and in the next run uses the saved state until it is stale", async () => {
    const state_file = join(folder, "alice.json");
    const first = openHere({ state_file });
    await freshGrant(first.target);
    await freshGrant(first.target);
    expect(signIns(first)).toHaveLength(1);
    expect(first.target.noted(passwordOrigins)).toHaveLength(1);
    expect(statSync(state_file).mode & 0o777).toBe(0o600);
    const saved = JSON.parse(readFileSync(state_file, "utf8"));
    const mask = createSecretMask();
    learnProfile(mask, openHere({ state_file }).target.profile);
    for (const { value } of saved.cookies) expect(mask.text(`a=${value};`)).not.toContain(value);

    const second = openHere({ state_file });
    await freshGrant(second.target);
    expect(signIns(second)).toHaveLength(0);

    for (const cookie of saved.cookies) cookie.value = "stale";
    writeFileSync(state_file, JSON.stringify(saved));
    const third = openHere({ state_file });
    await freshGrant(third.target);
    expect(signIns(third)).toHaveLength(1);
  });

  test("says where a page changed, and keeps what it has instead", async () => {
    const { target } = openHere({
      timeout_seconds: 3,
      approve: [{ click: { role: "button", name: ["Allow", "Zulassen"] } }],
    });
    const client = await sharedClient(target, "public");
    const failure = attempt(target, authorizationRequest(target, client));
    await expect(failure).rejects.toMatchObject({ code: "consent-stuck" });
    await expect(failure).rejects.toThrow(
      'step 1 of approve, click the button "Allow" or "Zulassen": not found within 3 s; instead there is the page "Allow access to your mail?',
    );
    await expect(failure).rejects.toThrow(`at ${service.addresses.authUrl}/oauth/consent`);
    await expect(failure).rejects.toThrow('buttons "Approve", "Deny"');
    await expect(failure).rejects.toThrow("consent-alice-1.png");
    const [page] = target.noted(unexpectedPages);
    expect(page?.text).toContain("asks for access to your mail");
    expect(Buffer.from(page?.screenshot ?? []).toString("latin1", 1, 4)).toBe("PNG");
  });

  test.for([
    {
      why: "a selector is none",
      more: { sign_in: [{ click: { css: "button:::" } }] },
      says: "the browser driver of alice: ",
      name: "InconclusiveError",
    },
    {
      why: "a state file cannot be used",
      more: { state_file: fileURLToPath(import.meta.url) },
      says: "cannot be used; remove it, and they sign in anew",
      name: "BlockedError",
    },
    {
      why: "there is no such browser",
      more: { executable_path: "/nowhere/chromium" },
      says: "there is no such file",
      name: "BlockedError",
    },
  ])("says that $why", async ({ more, says, name }) => {
    const { target } = openHere(more);
    const client = await sharedClient(target, "public");
    const failure = attempt(target, authorizationRequest(target, client));
    await expect(failure).rejects.toMatchObject({ name, message: expect.stringContaining(says) });
  });

  test("finds the target where the profile says, and shows the gate's header to nobody else", async () => {
    const seen = new Set<string>();
    const note = (who: string, { headers }: IncomingMessage): void => {
      seen.add(`${who} ${String(headers["x-gate"])}`);
    };
    const stranger = await startScriptedTarget((request, response) => {
      note("stranger", request);
      response.writeHead(302, { location: "https://cb.example.test/oauth/cb?code=c" }).end();
    });
    const gate = await startScriptedTarget((request, response) => {
      note("target", request);
      response.writeHead(302, { location: `${stranger.url}/next` }).end();
    });
    opened.push(stranger, gate);
    const url = gate.url.replace("127.0.0.1", "auth.staging.test");
    const { target } = open({ authUrl: url, apiUrl: url, mcpUrl: url }, consent, {
      more: { headers: { auth: { "X-Gate": "open" } }, resolve: { "auth.staging.test": "127.0.0.1" } },
    });
    const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/oauth/cb"] };
    const { end } = await attempt(target, authorizationRequest(target, client));
    expect(end.kind).toBe("redirect");
    expect([...seen]).toEqual(["target open", "stranger undefined"]);
  });

  test("types no password at an origin that the profile does not list", async () => {
    const { target, run } = openHere({}, { more: { sign_in_origins: ["https://id.example.com"] } });
    const client = await sharedClient(target, "public");
    await expect(attempt(target, authorizationRequest(target, client))).rejects.toThrow("sign_in_origins");
    expect(target.noted(passwordOrigins)).toEqual([]);
    expect(run.http.exchanges.filter(({ request }) => request.body.includes("alice-password"))).toEqual([]);
  });

  test("ends with an interrupted run, and its browser with it", async () => {
    const interruption = new AbortController();
    const run = open(
      service.addresses,
      { ...consent, sign_in: [{ waitFor: { text: "never" } }], approve: [{ waitFor: { text: "never" } }] },
      { signal: interruption.signal },
    );
    const client = await sharedClient(run.target, "public");
    const waiting = attempt(run.target, authorizationRequest(run.target, client));
    const browser: Browser = await expect
      .poll(() => run.run.http.exchanges.some(({ response }) => response.body.includes("User name")), {
        timeout: 60_000,
      })
      .toBe(true)
      .then(() => run.target.opened("chromium:", () => Promise.reject(new Error("none was started"))));
    interruption.abort();
    await expect(waiting).rejects.toMatchObject({ code: "interrupted" });
    await run.close();
    expect(browser.isConnected()).toBe(false);
  });

  test("ends with an interrupted run while the target does not answer", async () => {
    const interruption = new AbortController();
    const silent = await startScriptedTarget(() => interruption.abort());
    opened.push(silent);
    const patient = { ...consent, timeout_seconds: 600 };
    const { target } = open(at(silent.url), patient, { signal: interruption.signal });
    const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/cb"] };
    const waiting = attempt(target, authorizationRequest(target, client));
    await expect(waiting).rejects.toMatchObject({ code: "interrupted" });
  });

  test("closes pages that are about to show a document", async () => {
    const browser = await launchChromium({});
    const context = await browser.newContext();
    const left: number[] = [];
    // Chromium drops one request to close in three then.
    for (let times = 0; times < 12; times += 1) {
      const page = await context.newPage();
      await page.goto(`${service.addresses.authUrl}/oauth/authorize`, { waitUntil: "commit" });
      await closePages(context);
      left.push(context.pages().length);
    }
    await browser.close();
    expect(left.filter((pages) => pages > 0)).toEqual([]);
  });

  test("lets every check that looks at pages judge", async () => {
    const ids = ["B-AUTHZ-12", "B-AUTHZ-14", "B-AUTHZ-20", "AUTHZ-02/signed-in", "B-AUTHZ-11"];
    const checks = suites.flatMap((suite) => suite.checks).filter(({ id }) => ids.includes(id));
    expect(checks).toHaveLength(ids.length);
    const { target } = openHere();
    const { results } = await runChecks(checks, target.profile);
    expect(results.map(({ verdict, reason }) => reason ?? verdict)).toEqual(ids.map(() => "pass"));
  });

  test("is recorded from what a person does, without secrets", async () => {
    const { target } = openHere({ sign_in: [], approve: [] });
    const [human] = target.profile.humans;
    if (human === undefined) throw new TypeError("the profile has a human");
    const { sign_in, decision } = await recordConsent(target, human, {
      headless: true,
      async perform(page) {
        await page.getByLabel("User name").fill("alice");
        await page.getByLabel("Password").fill("alice-password");
        await page.getByLabel("Password").press("Enter");
        await page.getByLabel("Send mail in your name").uncheck();
        await page.getByRole("button", { name: "Approve" }).click();
      },
    });
    expect(JSON.stringify({ sign_in, decision })).not.toContain("alice");
    const replayed = openHere({ sign_in, approve: decision });
    const { tokens } = await freshGrant(replayed.target);
    expect(tokens.scope).toBe("mail.read");
  });
});

/** A server that notes what it is sent. */
async function start(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<{ readonly url: string; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = await startScriptedTarget((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void answer(request, response);
  });
  opened.push(server);
  return { url: server.url, seen };
}

const html = (response: ServerResponse, body: string): void =>
  void response.writeHead(200, { "content-type": "text/html" }).end(body);

const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(303, { location }).end();

const at = (url: string) => ({ authUrl: url, apiUrl: url, mcpUrl: url });

describe.skipIf(!hasChromium)("the browser driver, where the way leads to the client,", () => {
  test.for([
    { why: "a redirect", kind: "redirect", answer: (cb: string) => cb },
    { why: "a script", kind: "redirect", answer: (cb: string) => `<script>location = "${cb}"</script>` },
    {
      why: "a refresh",
      kind: "redirect",
      answer: (cb: string) => `<meta http-equiv=refresh content="0;url=${cb}">`,
    },
    {
      why: "a form that posts",
      kind: "answer",
      answer: (cb: string) =>
        `<form method=post action="${cb}"></form><script>document.forms[0].submit()</script>`,
    },
  ])("stops before $why arrives there, whatever else the page loads", async ({ answer, kind }) => {
    const client = await start((_request, response) => html(response, "hello"));
    const callback = `${client.url}/cb?code=c`;
    // Another site, whose frames would have a process of their own.
    const frame = await start((_request, response) => redirect(response, callback));
    const frames = [callback, frame.url.replace("127.0.0.1", "localhost")];
    const provider = await start((_request, response) => {
      const way = answer(callback);
      if (way === callback) return redirect(response, callback);
      const others = frames.map((url) => `<iframe src="${url}"></iframe>`).join("");
      return html(response, `<img src="${client.url}/pixel">${others}${way}`);
    });
    const serviceHere = await start((_request, response) =>
      html(
        response,
        `<a href="${provider.url}/go" target=_blank>window</a><a href="${provider.url}/go">go</a>`,
      ),
    );
    const steps = [{ click: { text: "window" } }, { click: { text: "go" } }];
    const { target } = open(at(serviceHere.url), { ...consent, sign_in: [], approve: steps });
    const request = authorizationRequest(target, {
      client_id: "mailer",
      redirect_uris: [`${client.url}/cb`],
    });
    const { end } = await attempt(target, request);
    expect(end.kind).toBe(kind);
    expect(codeIn(end)).toBe(kind === "redirect" ? "c" : undefined);
    expect(client.seen).toEqual([]);
  });
});

describe.skipIf(!hasChromium)("the browser driver with a second factor", () => {
  test("types the code of the moment, each once, on the page that asks for it", async () => {
    // Short periods, since a code is typed once.
    const secret = "otpauth://totp/alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=3";
    const settings = totpSettings(secret);
    const spent = new Set<string>();
    const server = await start(async (request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://127.0.0.1");
      if (pathname === "/oauth/authorize")
        return html(
          response,
          `<form method=post action=/mfa><label>Password <input type=password name=p></label><button>Next</button></form>`,
        );
      const otp = new URLSearchParams(await text(request)).get("otp") ?? "";
      const now = totpCounter(settings, Date.now());
      const isRight =
        [now - 1, now].some((counter) => totpCode(settings, counter) === otp) && !spent.has(otp);
      spent.add(otp);
      if (isRight) return redirect(response, "https://cb.example.test/cb?code=c");
      return html(
        response,
        `<form method=post action=/mfa><input id=otp name=otp><button>Verify</button></form>`,
      );
    });
    process.env["DRIVERS_TOTP"] = secret;
    const { target } = open(at(server.url), {
      ...consent,
      totp: "env:DRIVERS_TOTP",
      sign_in: [
        { fill: { label: "Password" }, value: "{password}" },
        { click: { role: "button", name: "Next" } },
        { click: { role: "button", name: "Next" }, at: "/elsewhere" },
        { fill: { id: "otp" }, value: "{totp}", at: "/mfa" },
        { click: { role: "button", name: "Verify" }, at: `${server.url}/m*a` },
      ],
      approve: [],
    });
    const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/cb"] };
    for (const _ of [1, 2]) {
      const { end } = await attempt(target, authorizationRequest(target, client));
      expect(codeIn(end)).toBe("c");
    }
  });
});
