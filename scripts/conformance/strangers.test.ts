import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { type ScriptedTarget, startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { attempt, type Attempt } from "../../suites/support/actors/authorization.ts";
import { createBrowser } from "../../suites/support/actors/consent/browser.ts";
import { passwordOrigins } from "../../suites/support/actors/consent/sign-in-origins.ts";
import { mailSession } from "../../suites/support/actors/mail-session.ts";
import { authorizationRequest } from "../../suites/support/actors/oauth-client.ts";
import { advertised } from "../../suites/metadata/documents.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget, type Target } from "../../suites/support/target/target.ts";

const password = "correct horse";
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((it) => it.close()));
});

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that notes what it is sent. */
async function start(listener: Listener): Promise<ScriptedTarget & { readonly seen: string[] }> {
  const seen: string[] = [];
  const server = await startScriptedTarget((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  opened.push(server);
  return { ...server, seen };
}

const startStranger = () => start((_request, response) => void response.end("hello"));

function openAt(urls: { auth: string; api?: string }, more: Record<string, unknown> = {}): Target {
  process.env["STRANGERS_PASSWORD"] = password;
  const consent = { driver: "form", username: "alice", password: "env:STRANGERS_PASSWORD" };
  const profile = parseProfile(
    {
      auth_url: urls.auth,
      api_url: urls.api ?? urls.auth,
      mcp_url: urls.auth,
      humans: [{ name: "alice", consent }],
      ...more,
    },
    "of the test",
  );
  const solver = createSolver();
  const run = openTarget(profile, solver, new AbortController().signal);
  opened.push(run, solver);
  return run.targetFor(createEvidence());
}

const redirectTo =
  (location: string, status = 302): Listener =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();

const html =
  (body: string, status = 200): Listener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "text/html" }).end(body);

const signInForm = (action: string): string =>
  `<form method=post action="${action}"><input name=user><input type=password name=pass><button>Sign in</button></form>`;

function authorizing(target: Target, redirectUri = "https://cb.example.test/oauth/cb"): Promise<Attempt> {
  return attempt(target, authorizationRequest(target, { client_id: "mailer", redirect_uris: [redirectUri] }));
}

test.for([
  { why: "another host", url: (stranger: string) => stranger },
  {
    why: "the target's name as user information",
    url: (stranger: string) => stranger.replace("//", "//127.0.0.1@"),
  },
  { why: "the clock's origin, but not its address", url: (_: string, clock: string) => `${clock}/elsewhere` },
])("a request to $why is not sent", async ({ url }) => {
  const [service, stranger] = [await startStranger(), await startStranger()];
  const target = openAt({ auth: service.url }, { clock: { advance_url: `${stranger.url}/advance` } });
  const sent = target.send({
    method: "POST",
    url: `${url(stranger.url, stranger.url)}/token`,
    body: "code=secret",
  });
  await expect(sent).rejects.toMatchObject({ code: "foreign-origin" });
  expect(stranger.seen).toEqual([]);
});

test("a connection of its own is not opened to a stranger", async () => {
  const [service, stranger] = [await startStranger(), await startStranger()];
  const target = openAt({ auth: service.url });
  expect(() => target.connect(stranger.url)).toThrow("none of the profile's origins");
});

test("nothing is sent to a node that the profile does not list for the address", async () => {
  const [service, api, stranger] = [await startStranger(), await startStranger(), await startStranger()];
  const nodeAt = ({ url }: { url: string }) => ({ host: "127.0.0.1", port: Number(new URL(url).port) });
  const nodes = { auth: [`127.0.0.1:${nodeAt(service).port}`], api: [`127.0.0.1:${nodeAt(api).port}`] };
  const target = openAt({ auth: service.url, api: api.url }, { nodes });
  for (const node of [nodeAt(stranger), nodeAt(api)]) {
    expect(() => target.connect(service.url, node)).toThrow("none of the nodes that the profile lists");
    const sent = target.send({ method: "GET", url: `${service.url}/`, node, beyondTarget: true });
    await expect(sent).rejects.toMatchObject({ code: "foreign-origin" });
  }
  const own = await target.send({ method: "GET", url: `${service.url}/`, node: nodeAt(service) });
  expect(own.response.status).toBe(200);
  expect([stranger.seen, api.seen]).toEqual([[], []]);
});

test("an endpoint that the metadata advertises at a stranger is not requested, and the row that judges it is named", async () => {
  const stranger = await startStranger();
  const service = await start((_request, response) => {
    const metadata = { token_endpoint: `${stranger.url}/oauth/token` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
  });
  await expect(advertised(openAt({ auth: service.url }), "token_endpoint")).rejects.toMatchObject({
    code: "foreign-origin",
    explainedBy: "META-04",
    message: expect.stringContaining(stranger.url),
  });
  expect(stranger.seen).toEqual([]);
});

test("a session document that gives apiUrl at a stranger leads nowhere", async () => {
  const stranger = await startStranger();
  const service = await start((_request, response) => {
    const document = {
      apiUrl: `${stranger.url}/jmap`,
      primaryAccounts: { "urn:ietf:params:jmap:mail": "a" },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  await expect(mailSession(openAt({ auth: service.url }), "capability")).rejects.toMatchObject({
    code: "foreign-origin",
  });
  expect(stranger.seen).toEqual([]);
});

test("the password is typed at the identity provider that the target sends the browser to first, which is noted", async () => {
  const provider = await start((request, response) => {
    if (request.method === "POST") redirectTo("https://cb.example.test/oauth/cb?code=c")(request, response);
    else html(signInForm("/sign-in"))(request, response);
  });
  const service = await start(redirectTo(`${provider.url}/authorize`));
  const target = openAt({ auth: service.url });
  await authorizing(target);
  expect(provider.seen).toContain("POST /sign-in");
  expect(target.noted(passwordOrigins)).toEqual([provider.url]);
});

test.for([
  {
    why: "an origin that the first one sends the browser on to",
    provider: (stranger: string) => redirectTo(`${stranger}/sign-in`),
    more: () => ({}),
  },
  {
    why: "another origin that the form of the first one names",
    provider: (stranger: string) => html(signInForm(`${stranger}/sign-in`)),
    more: () => ({}),
  },
  {
    why: "the first one, when the profile lists others",
    provider: () => html(signInForm("/sign-in")),
    more: (stranger: string) => ({ sign_in_origins: [stranger] }),
  },
])("the password is not typed at $why", async ({ provider: listener, more }) => {
  const stranger = await start(html(signInForm("/sign-in")));
  const provider = await start(listener(stranger.url));
  const service = await start(redirectTo(`${provider.url}/authorize`));
  const target = openAt({ auth: service.url }, more(stranger.url));
  await expect(authorizing(target)).rejects.toMatchObject({
    code: "consent-stuck",
    message: expect.stringContaining("sign_in_origins"),
  });
  expect([...stranger.seen, ...provider.seen].filter((line) => line.startsWith("POST"))).toEqual([]);
  expect(target.noted(passwordOrigins)).toEqual([]);
});

test("a redirect with 307 does not carry the password on", async () => {
  const stranger = await startStranger();
  const service = await start((request, response) => {
    if (request.method === "POST") redirectTo(`${stranger.url}/collect`, 307)(request, response);
    else if (request.url?.startsWith("/oauth/authorize")) redirectTo("/sign-in")(request, response);
    else html(signInForm("/sign-in"))(request, response);
  });
  const provider = await startStranger();
  const target = openAt({ auth: service.url }, { sign_in_origins: [service.url, provider.url] });
  await expect(authorizing(target)).rejects.toMatchObject({ code: "consent-stuck" });
  expect(stranger.seen).toEqual([]);
});

test("the password does not go from https to http", async () => {
  const target = openAt({ auth: "https://auth.example.com" });
  const browser = createBrowser(target.profile, { name: "alice" });
  const navigation = {
    from: "https://auth.example.com/sign-in",
    url: "http://auth.example.com/sign-in",
    form: { contentType: "application/x-www-form-urlencoded", body: "pass=…" },
    hasPassword: true,
  };
  await expect(browser.go(target, navigation)).rejects.toThrow("which is plain http");
});

test.for([
  { why: "a redirect", answer: (url: string) => redirectTo(`${url}/cb?code=c`), kind: "redirect" },
  {
    why: "a link",
    answer: (url: string) => html(`<a href="${url}/cb?code=c">Continue</a>`),
    kind: "redirect",
  },
  {
    why: "a link without a response",
    answer: (url: string) => html(`<a href="${url}/cb">Continue</a>`),
    kind: "answer",
  },
  {
    why: "a meta refresh",
    answer: (url: string) => html(`<meta http-equiv=refresh content="0;url=${url}/cb?code=c">`),
    kind: "redirect",
  },
  {
    why: "a form that posts",
    answer: (url: string) =>
      html(`<form method=post action="${url}/cb"><input type=hidden name=code value=c></form>`),
    kind: "answer",
  },
])("$why that leads to the client ends the way, and the client is sent nothing", async ({ answer, kind }) => {
  const client = await startStranger();
  const service = await start(answer(client.url));
  const { end } = await authorizing(openAt({ auth: service.url }), `${client.url}/cb`);
  expect(end.kind).toBe(kind);
  expect(client.seen).toEqual([]);
});

test("a code on its way to a stranger is judged, and not delivered", async () => {
  const stranger = await startStranger();
  const service = await start((request, response) => {
    const isFirst = request.url?.startsWith("/oauth/authorize") ?? false;
    redirectTo(isFirst ? "/next" : `${stranger.url}/cb?code=c`)(request, response);
  });
  const { end } = await authorizing(openAt({ auth: service.url }));
  expect(end).toMatchObject({ kind: "redirect", location: `${stranger.url}/cb?code=c` });
  expect(stranger.seen).toEqual([]);
});

test("a host that the target reflects is not visited", async () => {
  const service = await start((request, response) =>
    redirectTo(`http://${request.headers.host}/sign-in`)(request, response),
  );
  const target = openAt({ auth: service.url }).changing((outgoing) => ({
    ...outgoing,
    headers: [...(outgoing.headers ?? []), ["Host", "evil.example"]],
  }));
  const { end } = await authorizing(target);
  expect(end).toMatchObject({ kind: "redirect", location: "http://evil.example/sign-in" });
});

test("a page that is not understood is described, with where to tell more about it", async () => {
  const body = `<title>Anmeldung\u202e</title><form method=post action="/go?token=t"><input name=q1><input type=hidden name=csrf value=secret><button>Los</button><button>Halt</button></form><a href=/hilfe>Hilfe</a>`;
  const service = await start(html(body));
  const failure = authorizing(openAt({ auth: service.url }));
  await expect(failure).rejects.toThrow(
    `form POST /go, field q1 (text), buttons "Los", "Halt"; link "Hilfe"`,
  );
  await expect(failure).rejects.toThrow("buttons.continue");
  await expect(failure).rejects.not.toThrow("secret");
});

test("a person whose password is refused is named, and the profile is blamed", async () => {
  const service = await start(html(signInForm("/sign-in"), 200));
  await expect(authorizing(openAt({ auth: service.url }))).rejects.toThrow(
    "signing in as alice was refused; are the credentials in the profile right?",
  );
});

test("a page without end, or nested without end, is not read", async () => {
  const service = await start(html(`${"<div>".repeat(5_000)}<form><button>Continue</button></form>`));
  await expect(authorizing(openAt({ auth: service.url }))).rejects.toThrow("nested more than 512 deep");
});
