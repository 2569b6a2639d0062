import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { GatewayRequest, Middleware } from "../../fixtures/faults/equivalents/gateway.ts";
import {
  answering,
  changingJson,
  changingResponses,
  headerOf,
  jsonAnswer,
  jsonObject,
  mapHeader,
  pageOf,
  pathOf,
} from "../../fixtures/faults/equivalents/layers.ts";
import {
  type Front,
  type FrontedService,
  startFrontedService,
} from "../../fixtures/test-servers/fronted-service.ts";
import { testCertificate } from "../../fixtures/test-servers/test-certificate.ts";
import { makeCertificates } from "../../suites/support/target/documents/certificates.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { examine, type Finding } from "./examine.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-doctor-"));
const inFolder = (name: string): string => join(folder, name);
const opened: FrontedService[] = [];
const servers: Server[] = [];
let plain: FrontedService;

beforeAll(async () => {
  plain = await startFrontedService();
});

beforeEach(() => {
  vi.stubEnv("DOCTOR_ALICE", "alice-password");
  vi.stubEnv("DOCTOR_BOB", "bob-password");
  vi.stubEnv("DOCTOR_WRONG", "not-the-password");
  vi.stubEnv("DOCTOR_GATE", "the-token-of-the-gate");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((service) => service.close()));
  for (const server of servers.splice(0)) server.close();
});

afterAll(async () => {
  await plain.close();
  rmSync(folder, { recursive: true });
});

const alice = {
  name: "alice",
  inboxes: 2,
  consent: { driver: "form", username: "alice", password: "env:DOCTOR_ALICE" },
};
const bob = { name: "bob", consent: { driver: "form", username: "bob", password: "env:DOCTOR_BOB" } };

async function front(options: Front): Promise<FrontedService["addresses"]> {
  const service = await startFrontedService(options);
  opened.push(service);
  return service.addresses;
}

async function findings(content: object): Promise<readonly Finding[]> {
  const profile = parseProfile({ timeout_seconds: 10, ...content }, "of the test");
  return (await examine(profile, { signal: new AbortController().signal })).findings;
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  servers.pop();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Host and port. */
const placeOf = (url: string): string => new URL(url).host;

/** Addresses at a place where nothing of the service is. */
const everywhere = (url: string): object => ({ auth_url: url, api_url: url, mcp_url: url });

const at =
  (method: string, path: string) =>
  (request: GatewayRequest): boolean =>
    request.method === method && pathOf(request) === path;

const isMetadata = at("GET", "/.well-known/oauth-authorization-server");
const isSession = at("POST", "/api/v1/session");

const dated = (aheadMs: number): Middleware =>
  changingResponses((response) =>
    mapHeader(response, "date", (date) => new Date(Date.parse(date) + aheadMs).toUTCString()),
  );

/** Says that it sends, and does not. */
const swallowingMail = answering((request) => {
  if (!request.body.includes("EmailSubmission/set")) return undefined;
  const args = { accountId: "a", created: { s1: { id: "never" } } };
  return jsonAnswer(200, { methodResponses: [["EmailSubmission/set", args, "send"]], sessionState: "0" });
});

const withoutIdentities = changingJson((body) => {
  const { methodResponses: calls } = body;
  if (!JSON.stringify(calls ?? "").includes('"Identity/get"')) return undefined;
  return { ...body, methodResponses: [["Identity/get", { list: [] }, "0"]] };
});

interface Broken {
  readonly cause: string;
  readonly content: () => object | Promise<object>;
  readonly title: string;
  readonly says: string;
  /** What the mend names, where the message does not say it. */
  readonly mend?: string;
}

const brokenAddresses: readonly Broken[] = [
  {
    cause: "a host that does not exist",
    content: () => everywhere("http://no-such-host.invalid"),
    title: "auth_url",
    says: "the host name does not resolve",
  },
  {
    cause: "a port where nothing listens",
    content: async () => everywhere(`http://127.0.0.1:${await closedPort()}`),
    title: "auth_url",
    says: "nothing listens there",
  },
  {
    cause: "a wrong path prefix",
    content: () => ({ ...plain.addresses, auth_url: `${plain.addresses.auth_url}/tenant` }),
    title: "auth_url",
    says: "does not look like the authorization service",
    mend: "with its path prefix",
  },
  {
    cause: "a wrong path prefix of the mail API",
    content: () => ({ ...plain.addresses, api_url: `${plain.addresses.api_url}/tenant` }),
    title: "api_url",
    says: "does not look like the mail API",
    mend: "correct api_url",
  },
  {
    cause: "an expired certificate",
    content: async () => {
      const { ca, ...options } = await makeCertificates("127.0.0.1", 0);
      writeFileSync(inFolder("expired-ca.pem"), ca);
      const addresses = await front({ tls: { host: "127.0.0.1", options } });
      return { ...addresses, ca_file: inFolder("expired-ca.pem") };
    },
    title: "auth_url",
    says: "its certificate has expired",
  },
  {
    cause: "a certificate of an unknown authority",
    content: async () => {
      const { cert, key } = await makeCertificates("127.0.0.1");
      return front({ tls: { host: "127.0.0.1", options: { cert, key } } });
    },
    title: "auth_url",
    says: "is of an authority that is not trusted; name its authority in ca_file",
  },
  {
    cause: "a self-signed certificate",
    content: () => front({ tls: { host: "127.0.0.1", options: testCertificate } }),
    title: "auth_url",
    says: "its self-signed certificate is not trusted; name its authority in ca_file",
  },
  {
    cause: "a certificate for another host",
    content: async () => {
      const { ca, ...options } = await makeCertificates("other.test");
      writeFileSync(inFolder("other-ca.pem"), ca);
      const addresses = await front({ tls: { host: "127.0.0.1", options } });
      return { ...addresses, ca_file: inFolder("other-ca.pem") };
    },
    title: "auth_url",
    says: "its certificate is for another host",
  },
  {
    cause: "a client certificate that is missing",
    content: async () => {
      const { ca, ...options } = await makeCertificates("127.0.0.1");
      writeFileSync(inFolder("mutual-ca.pem"), ca);
      const asking = { ...options, requestCert: true, ca: testCertificate.cert };
      return {
        ...(await front({ tls: { host: "127.0.0.1", options: asking } })),
        ca_file: inFolder("mutual-ca.pem"),
      };
    },
    title: "auth_url",
    says: "the connection was closed before a complete answer",
    mend: "where it asks for a client certificate, give client_certificate in the profile",
  },
  {
    cause: "an http address where https is spoken",
    content: async () => {
      const { auth_url: url, ...others } = await front({
        tls: { host: "127.0.0.1", options: testCertificate },
      });
      return { ...others, auth_url: url.replace("https:", "http:") };
    },
    title: "auth_url",
    says: "is plain http, and https is spoken there",
    mend: "write auth_url with https://",
  },
  {
    cause: "an https address where http is spoken",
    content: () => ({ ...plain.addresses, auth_url: plain.addresses.auth_url.replace("http:", "https:") }),
    title: "auth_url",
    says: "it speaks no TLS; is it an http address?",
  },
  {
    cause: "a proxy that refuses",
    content: async () => {
      const proxy = createHttpServer();
      proxy.on("connect", (_request, socket: Socket) => void socket.end("HTTP/1.1 407 No\r\n\r\n"));
      vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${await listening(proxy)}`);
      return everywhere("http://service.test");
    },
    title: "auth_url",
    says: "answered 407 to CONNECT service.test:80",
  },
  {
    cause: "a target that never answers",
    content: async () => {
      const silent = createServer((socket) => void socket.on("error", () => {}));
      return { ...everywhere(`http://127.0.0.1:${await listening(silent)}`), timeout_seconds: 0.3 };
    },
    title: "auth_url",
    says: "no complete answer within 0.3 s",
  },
];

const brokenServices: readonly Broken[] = [
  {
    cause: "a clock that is ten minutes ahead",
    content: () => front({ layers: [dated(600_000)] }),
    title: "clock",
    says: "the target's clock is 600 s ahead of that of this machine",
    mend: "keep time",
  },
  {
    cause: "metadata of another issuer",
    content: () =>
      front({
        layers: [
          changingJson((body, { request }) =>
            isMetadata(request) ? { ...body, issuer: "https://other.example" } : undefined,
          ),
        ],
      }),
    title: "metadata",
    says: "the metadata is that of another issuer: expected http://127.0.0.1",
    mend: "as the service publishes its issuer",
  },
  {
    cause: "metadata that is a page",
    content: () =>
      front({ layers: [answering((request) => (isMetadata(request) ? pageOf(200, "Welcome") : undefined))] }),
    title: "metadata",
    says: "expected 200 with one JSON object; observed 200 (text/html",
    mend: "serve {auth_url}/.well-known/oauth-authorization-server",
  },
  {
    cause: "no key set",
    content: () =>
      front({
        layers: [
          answering((request) =>
            at("GET", "/.well-known/jwks.json")(request) ? jsonAnswer(404, {}) : undefined,
          ),
        ],
      }),
    title: "keys",
    says: "observed 404",
    mend: "/.well-known/jwks.json",
  },
  {
    cause: "registration that is switched off",
    content: () =>
      front({
        layers: [
          answering((request) =>
            at("POST", "/oauth/register")(request) ? jsonAnswer(403, { error: "access_denied" }) : undefined,
          ),
        ],
      }),
    title: "clients",
    says: "registering a public client: expected 201 with client_id, got 403 access_denied",
    mend: "enable dynamic registration, or give clients.public",
  },
  {
    cause: "no people",
    content: () => plain.addresses,
    title: "first human",
    says: "the profile has no first human",
    mend: "add a test person to humans",
  },
  {
    cause: "a wrong password",
    content: () => ({
      ...plain.addresses,
      humans: [{ ...alice, consent: { ...alice.consent, password: "env:DOCTOR_WRONG" } }],
    }),
    title: "first human",
    says: "signing in as alice was refused; are the credentials in the profile right?",
    mend: "check humans.0.consent",
  },
  {
    cause: "a person whom nobody knows",
    content: () => ({
      ...plain.addresses,
      humans: [alice, { ...bob, consent: { ...bob.consent, username: "robert" } }],
    }),
    title: "second human",
    says: "signing in as robert was refused",
    mend: "check humans.1.consent",
  },
  {
    cause: "a node where nothing listens",
    content: async () => ({ ...plain.addresses, nodes: { auth: [`127.0.0.1:${await closedPort()}`] } }),
    title: "auth nodes",
    says: "nothing listens there",
    mend: "correct nodes.auth",
  },
  {
    cause: "a node of another authorization server",
    content: async () => {
      const other = await front({});
      return {
        ...plain.addresses,
        nodes: { auth: [placeOf(plain.addresses.auth_url), placeOf(other.auth_url)] },
      };
    },
    title: "auth nodes",
    says: "is another issuer",
    mend: "correct nodes.auth",
  },
  {
    cause: "a node of another mail API",
    content: async () => {
      const other = await front({});
      return { ...plain.addresses, humans: [alice], nodes: { api: [placeOf(other.api_url)] } };
    },
    title: "api nodes",
    says: "does not serve an access token of",
    mend: "correct nodes.api",
  },
  {
    cause: "fewer inboxes than the profile says",
    content: () => ({ ...plain.addresses, humans: [{ ...alice, inboxes: 3 }, bob] }),
    title: "first human",
    says: "alice owns 2 inboxes, and the profile says 3",
    mend: "correct humans.0.inboxes",
  },
  {
    cause: "a wrong mail domain",
    content: async () => ({
      ...(await front({ layers: [withoutIdentities, swallowingMail] })),
      humans: [alice],
      names: { mail_domain: "wrong.example" },
    }),
    title: "mail",
    says: "to alice-home@wrong.example was accepted and has not arrived",
    mend: "correct names.mail_domain",
  },
  {
    cause: "mail that never arrives",
    content: async () => ({ ...(await front({ layers: [swallowingMail] })), humans: [alice] }),
    title: "mail",
    says: "was accepted and has not arrived",
    mend: "let the target deliver",
  },
  {
    cause: "a person with a single inbox",
    content: () => ({ ...plain.addresses, humans: [bob] }),
    title: "mail",
    says: "needs a human with two active inboxes",
  },
  {
    cause: "a salt that is not in the challenge",
    content: () => ({ ...plain.addresses, pow: { salt: "00".repeat(16) } }),
    title: "proof of work",
    says: "the salt that the profile gives is not the one in the challenge's claim",
    mend: "remove pow.salt",
  },
  {
    cause: "a salt that is not the target's constant",
    content: async () => ({
      ...(await front({
        configuration: { pow: { difficultyBits: 3, salt: { hexText: "ab".repeat(16) } } },
      })),
      pow: { salt: "cd".repeat(16) },
    }),
    title: "signup",
    says: "signing up an agent: expected 2xx with apiKey, got 4",
    mend: "pow.salt is not the target's",
  },
  {
    cause: "a difficulty above the limit",
    content: () => ({ ...plain.addresses, pow: { max_difficulty: 1 } }),
    title: "proof of work",
    says: "a challenge asks for more than pow.max_difficulty of the profile, 1 bits: 3 bits take about",
    mend: "set pow.max_difficulty to 3",
  },
  {
    cause: "sign-ups that are refused",
    content: () =>
      front({
        layers: [answering((request) => (isSession(request) ? jsonAnswer(403, {}) : undefined))],
      }),
    title: "signup",
    says: "signing up an agent: expected 2xx with apiKey, got 403",
    mend: "pow.username",
  },
];

describe.for([...brokenAddresses, ...brokenServices])("$cause", ({ content, title, says, mend = "" }) => {
  test("is named, with how to mend it", async () => {
    const all = await findings(await content());
    const finding = all.find((each) => each.title === title);
    expect(finding).toMatchObject({
      state: "missing",
      text: expect.stringContaining(says),
      mend: expect.stringContaining(mend),
    });
  });
});

test("what builds on something that is missing is not tried", async () => {
  const all = await findings(everywhere(`http://127.0.0.1:${await closedPort()}`));
  expect(all.filter(({ state }) => state === "ok")).toEqual([]);
  expect(all.find(({ title }) => title === "first human")).toMatchObject({
    state: "not tried",
    text: "it needs auth_url",
  });
});

const gate: Middleware = answering((request) =>
  headerOf(request, "x-gate") === "the-token-of-the-gate" ? undefined : pageOf(403, "Who are you?"),
);

const namesOfItsOwn: Middleware = answering((request) => {
  const { username } = isSession(request) ? (jsonObject(request.body) ?? {}) : {};
  return typeof username === "string" && !/^agent-[a-f]{12}$/u.test(username)
    ? jsonAnswer(422, {})
    : undefined;
});

describe("a target behind a name, an authority, a client certificate and a gate of its own", () => {
  async function guarded(): Promise<object> {
    const { ca, ...options } = await makeCertificates("staging.test");
    writeFileSync(inFolder("ca.pem"), ca);
    writeFileSync(inFolder("client.pem"), testCertificate.cert);
    writeFileSync(inFolder("client-key.pem"), testCertificate.key);
    return front({
      layers: [gate, namesOfItsOwn],
      tls: {
        host: "staging.test",
        options: { ...options, requestCert: true, ca: testCertificate.cert, maxVersion: "TLSv1.3" },
      },
    });
  }

  const keys = {
    resolve: { "staging.test": "127.0.0.1" },
    ca_file: inFolder("ca.pem"),
    client_certificate: { cert_file: inFolder("client.pem"), key_file: inFolder("client-key.pem") },
    headers: {
      auth: { "X-Gate": "env:DOCTOR_GATE" },
      api: { "X-Gate": "the-token-of-the-gate" },
      mcp: { "X-Gate": "env:DOCTOR_GATE" },
    },
    pow: { username: "agent-[a-f]{12}" },
  };

  test("has everything with the keys for them", async () => {
    const all = await findings({ ...(await guarded()), ...keys });
    const people = ["first human", "second human", "mail"];
    expect(all.filter(({ state, title }) => state !== "ok" && !people.includes(title))).toEqual([]);
    expect(all.find(({ title }) => title === "signup")?.text).toMatch(/signed up as agent-[a-f]{12}/u);
  });

  test("has nodes that are asked under its name, with its authority, certificate and gate", async () => {
    const all = await findings({ ...(await guarded()), ...keys, nodes: ["127.0.0.1", "localhost"] });
    expect(all.filter(({ title }) => title.endsWith(" nodes"))).toMatchObject([
      { state: "ok", text: expect.stringMatching(/^all 2 answer as https:\/\/staging\.test:/u) },
      { state: "ok", text: expect.stringMatching(/^all 2 answer as https:\/\/staging\.test:/u) },
    ]);
  });

  test.for([
    { without: "resolve", title: "auth_url", says: "does not resolve" },
    { without: "ca_file", title: "auth_url", says: "not trusted" },
    { without: "client_certificate", title: "auth_url", says: "the connection was closed" },
    { without: "headers", title: "auth_url", says: "does not look like the authorization service" },
  ])("lacks $title without $without", async ({ without, title, says }) => {
    const some = Object.entries(keys).filter(([key]) => key !== without);
    const all = await findings({ ...(await guarded()), ...Object.fromEntries(some) });
    expect(all.find((each) => each.title === title)).toMatchObject({
      state: "missing",
      text: expect.stringContaining(says),
    });
  });
});
