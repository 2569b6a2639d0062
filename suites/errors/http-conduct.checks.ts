import { postChallenge } from "../support/actors/agent.ts";
import { formContentType } from "../support/actors/oauth-client.ts";
import { observe, recommend } from "../support/judging/check.ts";
import { header, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { jsonContentType } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";

const wrongMethods = [
  { slug: "token", method: "GET", path: "/oauth/token" },
  { slug: "register", method: "GET", path: "/oauth/register" },
  { slug: "agents", method: "POST", path: "/api/v1/agents" },
].map(({ slug, method, path }) =>
  observe({
    id: `B-HTTP-01/${slug}`,
    question: `What does \`${method} ${path}\` answer, a method that the endpoint does not have?`,
    act: (target) => target.send({ method, url: target.authUrl + path }),
    answer: (exchange) => `${summary(exchange)}, Allow ${header(exchange, "allow") ?? "absent"}`,
  }),
);

const heads = [
  { slug: "metadata", path: "/.well-known/oauth-authorization-server" },
  { slug: "keys", path: "/.well-known/jwks.json" },
  { slug: "agents", path: "/api/v1/agents" },
].map(({ slug, path }) =>
  observe({
    id: `B-HTTP-02/${slug}`,
    question: `What does \`HEAD ${path}\` answer?`,
    act: (target) => target.send({ method: "HEAD", url: target.authUrl + path }),
    answer: summary,
  }),
);

interface CrossOriginRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: HeaderLines;
}

const preflight: HeaderLines = [["Access-Control-Request-Method", "POST"]];

// What a page of another site sends as its origin, and what a sandboxed one does.
const foreignOrigins = ["https://evil.test", "null"];

const services: readonly {
  slug: string;
  words: string;
  requests: (target: Target) => readonly CrossOriginRequest[];
}[] = [
  {
    slug: "authorization-server",
    words: "The authorization server",
    requests: ({ authUrl }) => [
      { method: "GET", url: `${authUrl}/.well-known/oauth-authorization-server` },
      { method: "GET", url: `${authUrl}/.well-known/jwks.json` },
      { method: "GET", url: `${authUrl}/api/v1/agents` },
      { method: "POST", url: `${authUrl}/oauth/token`, headers: [formContentType] },
      { method: "OPTIONS", url: `${authUrl}/oauth/token`, headers: preflight },
      { method: "OPTIONS", url: `${authUrl}/oauth/register`, headers: preflight },
    ],
  },
  {
    slug: "proof-of-work",
    words: "The challenge endpoint",
    requests: ({ authUrl }) => [{ method: "POST", url: `${authUrl}/api/v1/challenge` }],
  },
  {
    slug: "mail-api",
    words: "JMAP",
    requests: ({ apiUrl }) => [
      { method: "POST", url: `${apiUrl}/jmap`, headers: [jsonContentType] },
      { method: "OPTIONS", url: `${apiUrl}/jmap`, headers: preflight },
    ],
  },
];

const noCredentials = services.map(({ slug, words, requests }) =>
  recommend({
    id: `B-HTTP-03/${slug}`,
    claim: `${words} lets no foreign origin read its answers with credentials.`,
    act: (target) =>
      Promise.all(
        foreignOrigins.flatMap((origin) =>
          requests(target).map(async ({ method, url, headers = [] }) => ({
            origin,
            exchange: await target.send({ method, url, headers: [["Origin", origin], ...headers] }),
          })),
        ),
      ),
    assert(answers) {
      for (const { origin, exchange } of answers) {
        const allowed = header(exchange, "access-control-allow-origin");
        const withCredentials = header(exchange, "access-control-allow-credentials") === "true";
        expectThat(
          !(allowed === origin && withCredentials),
          "no Access-Control-Allow-Credentials for any origin that asks",
          `${shown(allowed)} allowed with credentials`,
          exchange,
        );
      }
    },
  }),
);

const strictTransport = recommend({
  id: "B-HTTP-07",
  claim:
    "The target asks browsers to stay with https (`Strict-Transport-Security`), or is on a loopback address.",
  // That the connection was made at all says that the certificate is valid and TLS 1.2 or later.
  act: postChallenge,
  assert: (exchange) =>
    expectThat(
      header(exchange, "strict-transport-security") !== undefined || isOnLoopback(exchange.request.url),
      "Strict-Transport-Security",
      "none",
      exchange,
    ),
});

function isOnLoopback(url: string): boolean {
  return /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/])/u.test(url);
}

/** What HTTP asks of every endpoint. */
export const httpConductChecks = [...wrongMethods, ...heads, ...noCredentials, strictTransport];
