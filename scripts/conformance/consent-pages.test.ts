import { afterEach, expect, test } from "vitest";
import {
  type AuthorizationPages,
  type PageStep,
  startAuthorizationPages,
} from "../../fixtures/test-servers/authorization-pages.ts";
import { choiceFlows } from "../../fixtures/test-servers/page-flows/choices.ts";
import { frameworkFlows } from "../../fixtures/test-servers/page-flows/frameworks.ts";
import { hintedFlows } from "../../fixtures/test-servers/page-flows/hints.ts";
import { inboxFlows } from "../../fixtures/test-servers/page-flows/inboxes.ts";
import { languageFlows } from "../../fixtures/test-servers/page-flows/languages.ts";
import { markupFlows } from "../../fixtures/test-servers/page-flows/markup.ts";
import {
  type ConsentFlow,
  consent as consentPage,
  form,
  page,
  person,
  signIn,
} from "../../fixtures/test-servers/page-flows/pages.ts";
import { questionFlows, unreadableAtFirst } from "../../fixtures/test-servers/page-flows/questions.ts";
import { responseFlows } from "../../fixtures/test-servers/page-flows/responses.ts";
import {
  attempt,
  type AttemptEnd,
  codeIn,
  requireSignedIn,
} from "../../suites/support/actors/authorization.ts";
import { responseParameter } from "../../suites/support/actors/client-redirects.ts";
import type { Decision } from "../../suites/support/actors/consent/step.ts";
import { authorizationRequest } from "../../suites/support/actors/oauth-client.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget } from "../../suites/support/target/target.ts";

/** Ways through sign-in and consent that reach a code when approved, and `access_denied` when denied. */
const consentFlows: readonly ConsentFlow[] = [
  ...frameworkFlows,
  ...questionFlows,
  ...languageFlows,
  ...markupFlows,
  ...hintedFlows,
  ...responseFlows,
  ...choiceFlows,
  ...inboxFlows,
];

const client = { client_id: "mailer", redirect_uris: ["https://cb.example.test/oauth/cb"] };
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((it) => it.close()));
});

async function walk({ consent = {}, ...flow }: ConsentFlow, decision: Decision, how: { forged?: true } = {}) {
  const server: AuthorizationPages = await startAuthorizationPages(flow);
  process.env["PAGES_PASSWORD"] = person.password;
  const { url } = server;
  const human = {
    name: "alice",
    consent: { driver: "form", username: person.username, password: "env:PAGES_PASSWORD", ...consent },
  };
  const profile = parseProfile({ auth_url: url, api_url: url, mcp_url: url, humans: [human] }, "of the test");
  const solver = createSolver();
  const run = openTarget(profile, solver, new AbortController().signal);
  opened.push(server, run, solver);
  const target = run.targetFor(createEvidence());
  const { end } = await attempt(target, authorizationRequest(target, client), { decision, ...how });
  return { end, code: codeIn(end), server };
}

test.for(consentFlows)("$why: approving leads to a code for everything", async (flow) => {
  const { end, code, server } = await walk(flow, "approve");
  expect(end).toMatchObject({ kind: "redirect", location: expect.stringContaining("code=") });
  expect(server.scopesOf(code ?? "")).toEqual(["mail.read", "mail.send"]);
});

test("a page that takes no answer in its first moments is not waited for where a check changes its form", async () => {
  await expect(walk(unreadableAtFirst, "approve", { forged: true })).rejects.toMatchObject({
    code: "consent-stuck",
    message: expect.stringContaining("it came again after 3 tries"),
  });
});

test.for(consentFlows)("$why: denying leads to access_denied", async (flow) => {
  const { end, server } = await walk(flow, "deny");
  expect(end.kind === "redirect" && responseParameter(end.location, "error")).toBe("access_denied");
  expect(server.requests).not.toContain("GET /page/99");
});

const narrowing = consentFlows.filter(({ allOrNothing }) => allOrNothing !== true);

test.for(narrowing)("$why: sending can be taken away", async (flow) => {
  const { code, server } = await walk(flow, "approve read-only");
  expect(server.scopesOf(code ?? "")).toEqual(["mail.read"]);
});

test("a choice that turns out to be none of the scopes does not pass for a narrowed grant", async () => {
  const chosen =
    '<select name="inbox"><option>one</option><option>two</option></select><button>Accept</button>';
  const inboxOnly = { html: (submit: string) => page("Inbox", form(submit, chosen)) };
  await expect(
    walk({ why: "an inbox", pages: [signIn, inboxOnly] }, "approve read-only"),
  ).rejects.toMatchObject({
    code: "consent-stuck",
    message: expect.stringContaining("consent.read_only"),
  });
});

const remembered: ConsentFlow = { why: "a consent that is remembered", pages: [signIn] };

test("a consent that is remembered leads to a code without a page", async () => {
  expect((await walk(remembered, "approve")).code).toEqual(expect.any(String));
});

test.for(["deny", "approve read-only"] as const)(
  "a consent that is remembered says nothing about a target where the person would %s",
  async (decision) => {
    await expect(walk(remembered, decision)).rejects.toMatchObject({
      code: "consent-skipped",
      message: expect.stringContaining("the target asked for no consent"),
    });
  },
);

async function walkRefusedAt(step: PageStep): Promise<AttemptEnd> {
  const forbidding: PageStep = { ...step, answer: () => "forbidden" };
  const pages = [signIn, consentPage].map((each) => (each === step ? forbidding : each));
  return (await walk({ why: "an error page", pages }, "approve")).end;
}

test("an error that answers the sign-in says nothing about the target", async () => {
  const end = await walkRefusedAt(signIn);
  expect(() => requireSignedIn({ end })).toThrow(/the sign-in ended before the person was asked: 403: /u);
});

test("an error that answers an approval is the target's", async () => {
  const end = await walkRefusedAt(consentPage);
  expect(end).toMatchObject({ kind: "answer", reason: expect.stringContaining("403") });
  expect(() => requireSignedIn({ end })).not.toThrow();
});
