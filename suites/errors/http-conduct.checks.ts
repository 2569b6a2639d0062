import { postChallenge } from "../support/actors/agent.ts";
import { advise } from "../support/judging/advice.ts";
import { formContentType } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { header, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { observation, warning } from "../support/verdict.ts";

const wrongMethods = [
  { slug: "token", method: "GET", path: "/oauth/token" },
  { slug: "register", method: "GET", path: "/oauth/register" },
  { slug: "agents", method: "POST", path: "/api/v1/agents" },
].map(({ slug, method, path }) =>
  check({
    id: `B-HTTP-01/${slug}`,
    claim: `What ${method} ${path} is answered is recorded.`,
    act: (target) => target.send({ method, url: target.authUrl + path }),
    assert: (exchange) => observation(`${summary(exchange)}, Allow ${header(exchange, "allow") ?? "absent"}`),
  }),
);

const heads = [
  { slug: "metadata", path: "/.well-known/oauth-authorization-server" },
  { slug: "keys", path: "/.well-known/jwks.json" },
  { slug: "agents", path: "/api/v1/agents" },
].map(({ slug, path }) =>
  check({
    id: `B-HTTP-02/${slug}`,
    claim: `What HEAD ${path} is answered is recorded.`,
    act: (target) => target.send({ method: "HEAD", url: target.authUrl + path }),
    assert: (exchange) => observation(summary(exchange)),
  }),
);

const endpoints = [
  { slug: "token", method: "POST", url: (target: Target) => `${target.authUrl}/oauth/token` },
  { slug: "agents", method: "GET", url: (target: Target) => `${target.authUrl}/api/v1/agents` },
  { slug: "jmap", method: "POST", url: (target: Target) => `${target.apiUrl}/jmap` },
  { slug: "challenge", method: "POST", url: (target: Target) => `${target.authUrl}/api/v1/challenge` },
];

const strangers = [
  { slug: "foreign", origin: "https://evil.test" },
  { slug: "null", origin: "null" },
];

const noCredentials = endpoints.flatMap(({ slug, method, url }) =>
  strangers.map(({ slug: whose, origin }) =>
    check({
      id: `B-HTTP-03/${slug}-${whose}`,
      claim: `${method} on the ${slug} endpoint from the origin ${origin} does not allow that origin with credentials.`,
      act(target) {
        const headers: HeaderLines = [["Origin", origin], ...(slug === "token" ? [formContentType] : [])];
        return target.send({ method, url: url(target), headers });
      },
      assert: (exchange) =>
        advise(() => {
          const allowed = header(exchange, "access-control-allow-origin");
          const withCredentials = header(exchange, "access-control-allow-credentials") === "true";
          expectThat(
            !(allowed === origin && withCredentials),
            "no Access-Control-Allow-Credentials for whoever asks",
            `${shown(allowed)} allowed with credentials`,
          );
        }) ??
        observation(
          `${exchange.response.status}, Access-Control-Allow-Origin ${header(exchange, "access-control-allow-origin") ?? "absent"}`,
        ),
    }),
  ),
);

const strictTransport = check({
  id: "B-HTTP-07",
  claim: "An https target asks browsers to stay with https (Strict-Transport-Security).",
  // That the connection was made at all says that the certificate is valid and TLS 1.2 or later.
  act: async (target) => ({
    exchange: await postChallenge(target),
    isHttps: target.authUrl.startsWith("https://"),
  }),
  assert({ exchange, isHttps }) {
    if (!isHttps) return observation("the target is on plain http");
    return header(exchange, "strict-transport-security") === undefined
      ? warning("no Strict-Transport-Security")
      : undefined;
  },
});

/** What HTTP asks of every endpoint: warnings and observations alone. */
export const httpConductChecks = [...wrongMethods, ...heads, ...noCredentials, strictTransport];
