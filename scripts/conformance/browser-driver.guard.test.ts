import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../fixtures/service/service.ts";
import { attempt } from "../../suites/support/actors/authorization.ts";
import { responseParameter } from "../../suites/support/actors/client-redirects.ts";
import { nameWhatIsMissing } from "../../fixtures/service/name-what-is-missing.ts";
import { closePages } from "../../suites/support/actors/chromium/close-pages.ts";
import { launchChromium } from "../../suites/support/actors/chromium/launch-chromium.ts";
import { unexpectedPages } from "../../suites/support/actors/chromium/unexpected-page.ts";
import { passwordOrigins } from "../../suites/support/actors/consent/sign-in-origins.ts";
import { authorizationRequest } from "../../suites/support/actors/oauth-client.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import { sharedClient } from "../../suites/support/material/clients.ts";
import { freshGrant } from "../../suites/support/material/grants.ts";
import { learnProfile } from "../../suites/support/target/profile-secrets.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { suites } from "../suites.ts";
import { browserConsent, type DriverRun, openDriverRun } from "./driver-run.ts";
import { missingChromium } from "./missing-chromium.ts";

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

const openHere = (more: object = {}, options = {}): DriverRun =>
  openDriverRun(service.addresses, { ...browserConsent, ...more }, options);

const missing = missingChromium();

/** Where passwords went: sign-ins at the identity provider. */
const signIns = ({ run }: DriverRun) =>
  run.http.exchanges.filter(({ request }) => request.body.includes("password="));

nameWhatIsMissing("the browser driver", missing);

describe.skipIf(missing)("the browser driver", () => {
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

  test("records every page it visits, and the redirect to the client, as exchanges", async () => {
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
      says: "cannot be used; remove it, and they sign in again",
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

  test("types no password at an origin that the profile does not list", async () => {
    const { target, run } = openHere({}, { more: { sign_in_origins: ["https://id.example.com"] } });
    const client = await sharedClient(target, "public");
    await expect(attempt(target, authorizationRequest(target, client))).rejects.toThrow("sign_in_origins");
    expect(target.noted(passwordOrigins)).toEqual([]);
    expect(run.http.exchanges.filter(({ request }) => request.body.includes("alice-password"))).toEqual([]);
  });

  test("ends with an interrupted run, and its browser with it", async () => {
    const interruption = new AbortController();
    const never = [{ waitFor: { text: "never" } }];
    const run = openHere({ sign_in: never, approve: never }, { signal: interruption.signal });
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
