import { describe, expect, test } from "vitest";
import { allAttempts } from "../support/actors/authorization.ts";
import type { Exchange, HeaderLines } from "../support/wire/exchange.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import type { Topic } from "../support/target/notes.ts";
import { statusesBroken } from "./error-table.checks.ts";
import type { Run } from "./oauth-answers.ts";

const account = "6f0c3f0e-2f4a-4a53-9d4e-0f6a3a0b7c11";
const form: HeaderLines = [["Content-Type", "application/x-www-form-urlencoded"]];

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "EdDSA", typ: "at+jwt" })}.${part(claims)}.c2ln`;
}

const accessToken = jwt({ aud: "https://api.example/jmap" });

function exchange(
  number: number,
  request: Partial<Exchange["request"]>,
  status: number,
  body: unknown,
): Exchange {
  const type = typeof body === "string" ? "text/html" : "application/json";
  return {
    number,
    startedAt: new Date(number * 1000).toISOString(),
    durationMs: 100,
    request: { method: "POST", url: "", headers: [], body: "", ...request },
    response: {
      status,
      headers: [["Content-Type", type]],
      body: typeof body === "string" ? body : JSON.stringify(body),
    },
  };
}

function token(number: number, fields: Parameters, status: number, error: string, headers = form): Exchange {
  const request = { url: "https://auth.example/oauth/token", headers, body: encodeParameters(fields) };
  return exchange(number, request, status, { error, error_description: "x" });
}

function authorize(number: number, query: Parameters, status: number, body: unknown): Exchange {
  const url = `https://auth.example/oauth/authorize?${encodeParameters(query)}`;
  return exchange(number, { method: "GET", url }, status, body);
}

function jmap(status: number, error: string, bearer: string, header = account): Exchange {
  const headers: HeaderLines = [
    ["Authorization", `Bearer ${bearer}`],
    ["X-Service-Account-Id", header],
  ];
  return exchange(0, { url: "https://api.example/jmap", headers }, status, { error });
}

function agents(status: number, error: string, headers: HeaderLines): Exchange {
  const request = { method: "GET", url: "https://auth.example/api/v1/agents", headers };
  return exchange(0, request, status, { error });
}

function runOf(runExchanges: readonly Exchange[], attempts: readonly unknown[] = []): Run {
  return {
    authUrl: "https://auth.example",
    apiUrl: "https://api.example",
    mcpUrl: "https://mcp.example",
    profile: {
      names: { account_header: "X-Service-Account-Id", agent_urn_prefix: "urn:service:agent:" },
      clients: { registration: "dynamic" },
    },
    runExchanges: () => runExchanges,
    // The topic belongs to one caller, which is what ties the type to it.
    noted: <Item>(topic: Topic<Item>) => (topic.name === allAttempts.name ? attempts : []) as readonly Item[],
  };
}

const exchangeOfCode = [
  ["grant_type", "authorization_code"],
  ["code", "c"],
  ["client_id", "nobody"],
] as const;

describe("a status that breaks the table", () => {
  test.for([
    { why: "invalid_grant 401", requirement: "ERR-05", seen: token(0, exchangeOfCode, 401, "invalid_grant") },
    { why: "invalid_grant 200", requirement: "ERR-05", seen: token(0, exchangeOfCode, 200, "invalid_grant") },
    {
      why: "invalid_request 422",
      requirement: "ERR-03",
      seen: authorize(0, [], 422, { error: "invalid_request" }),
    },
    {
      why: "an error page with 403",
      requirement: "ERR-03",
      seen: authorize(0, [], 403, "<p>invalid_request</p>"),
    },
    {
      why: "invalid_client 401 at authorize",
      requirement: "ERR-04",
      seen: authorize(0, [], 401, { error: "invalid_client" }),
    },
    {
      why: "invalid_token 403 at JMAP",
      requirement: "ERR-07",
      seen: jmap(403, "invalid_token", accessToken),
    },
    {
      why: "invalid_token 400 for text",
      requirement: "ERR-07",
      seen: agents(400, "invalid_token", [["Authorization", "Bearer x"]]),
    },
    {
      why: "insufficient_scope 401",
      requirement: "ERR-08",
      seen: jmap(401, "insufficient_scope", accessToken),
    },
    {
      why: "access_denied 400",
      requirement: "ERR-09",
      seen: jmap(400, "access_denied", accessToken),
    },
  ])("$why", ({ requirement, seen }) => expect(statusesBroken(requirement, runOf([seen]))).toBe(1));
});

describe("a status that the interpretations leave open", () => {
  const known = exchange(1, { url: "https://auth.example/oauth/register" }, 201, { client_id: "nobody" });
  const raceWinner = { ...token(0, exchangeOfCode, 200, "none"), response: known.response };
  const raceLoser = { ...token(0, exchangeOfCode, 409, "invalid_grant"), number: 1 };
  test.for([
    {
      why: "a wrong secret (C-05)",
      requirement: "ERR-04",
      seen: [known, token(2, exchangeOfCode, 401, "invalid_client")],
    },
    {
      why: "a failed HTTP Basic (RFC 6749 §5.2)",
      requirement: "ERR-04",
      seen: [token(0, exchangeOfCode, 401, "invalid_client", [...form, ["Authorization", "Basic eA=="]])],
    },
    { why: "a lost race (C-96)", requirement: "ERR-05", seen: [raceWinner, raceLoser] },
    {
      why: "a URL as client_id (C-97)",
      requirement: "ERR-03",
      seen: [authorize(0, [["client_id", "https://client.invalid/x"]], 403, { error: "invalid_request" })],
    },
    { why: "no credential (C-12)", requirement: "ERR-03", seen: [agents(401, "invalid_request", [])] },
    {
      why: "another audience (C-11)",
      requirement: "ERR-07",
      seen: [jmap(403, "invalid_token", jwt({ aud: "https://mcp.example/mcp" }))],
    },
    {
      why: "a proof-of-work credential (C-57)",
      requirement: "ERR-07",
      seen: [jmap(403, "invalid_token", jwt({ sub: "agent" }))],
    },
    {
      why: "a header that is not a UUID (C-13)",
      requirement: "ERR-09",
      seen: [jmap(400, "access_denied", accessToken, "x")],
    },
    {
      why: "the nil UUID (C-16)",
      requirement: "ERR-09",
      seen: [jmap(400, "access_denied", accessToken, account.replaceAll(/[^-]/gu, "0"))],
    },
    {
      why: "a gateway's 431",
      requirement: "ERR-07",
      seen: [agents(431, "invalid_token", [["Authorization", "Bearer x"]])],
    },
    {
      why: "a header that is too long for a gateway (C-90)",
      requirement: "ERR-07",
      seen: [agents(400, "invalid_token", [["Authorization", `Bearer ${"x".repeat(10_000)}`]])],
    },
    {
      why: "a body that a framework refuses",
      requirement: "ERR-03",
      seen: [
        {
          ...token(0, [], 422, "invalid_request"),
          request: { method: "POST", url: "https://auth.example/oauth/token", headers: form, body: "a=%zz" },
        },
      ],
    },
  ])("$why", ({ requirement, seen }) => expect(statusesBroken(requirement, runOf(seen))).toBe(0));

  test("an unregistered redirect_uri (C-04)", () => {
    const refusal = authorize(3, [["redirect_uri", "https://evil.test/cb"]], 403, {
      error: "invalid_request",
    });
    const attempt = {
      parameters: [["redirect_uri", "https://evil.test/cb"]],
      registered: ["https://cb.example.test/cb"],
      first: refusal,
      end: { kind: "answer", exchange: refusal },
    };
    expect(statusesBroken("ERR-03", runOf([refusal], [attempt]))).toBe(0);
  });
});
