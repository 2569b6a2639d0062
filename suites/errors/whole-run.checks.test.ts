import { describe, expect, test } from "vitest";
import type { Exchange } from "../support/wire/exchange.ts";
import { isServerError, revealsInternals } from "./whole-run.checks.ts";

function answered(status: number, method: string, path = ""): Exchange {
  const request = { method, url: `https://auth.example/${path}`, headers: [], body: "" };
  return { number: 0, startedAt: "", durationMs: 0, request, response: { status, headers: [], body: "" } };
}

test.for([
  { status: 500, method: "GET", isError: true },
  { status: 501, method: "POST", isError: true },
  { status: 501, method: "DELETE", isError: false },
  { status: 502, method: "GET", isError: false },
  { status: 503, method: "GET", isError: false },
  { status: 504, method: "POST", isError: false },
  { status: 520, method: "GET", isError: false },
  { status: 404, method: "GET", isError: false },
])("$status to $method is an error of the service: $isError", ({ status, method, isError }) => {
  expect(isServerError(answered(status, method))).toBe(isError);
});

test.for([
  { client: "client_1", isError: true },
  { client: "https%3A%2F%2Fclient.example%2Fmetadata", isError: false },
])(
  "500 to an authorization request of $client is an error of the service: $isError",
  ({ client, isError }) => {
    expect(isServerError(answered(500, "GET", `oauth/authorize?client_id=${client}`))).toBe(isError);
  },
);

describe("an error body", () => {
  test.for([
    { why: "JavaScript", body: "TypeError: x\n    at parse (/app/dist/token.js:12:3)" },
    { why: "an anonymous frame", body: "Error\n    at async file:///app/x.js:1:2" },
    { why: "a trace in JSON", body: '{"stack":"Error: x\\n    at parse (token.js:12:3)"}' },
    { why: "a path in brackets", body: '{"error_description":"failed (/srv/mail/keys.ts)"}' },
    { why: "Python", body: "Traceback (most recent call last):" },
    { why: "Java", body: "java.lang.Error\n\tat com.example.Token.read(Token.java:12)" },
    { why: "Go", body: "panic\ngoroutine 1 [running]:" },
    { why: "a database", body: '{"error":"SQLSTATE 22P02"}' },
    { why: "a path", body: '{"error_description":"ENOENT /usr/src/service/keys.ts"}' },
  ])("reveals internals: $why", ({ body }) => expect(revealsInternals(body)).toBe(true));

  test.for([
    '{"error":"invalid_request","error_description":"look at https://docs.example/app/errors"}',
    '{"error":{"message":"expired at 10:00:00","hint":"retry","docs_url":"https://x.example/y.ts"}}',
    "<p>Meet at the office (room 12:3)</p>",
    '<script type="module" src="/app/assets/index.js"></script>',
  ])("reveals nothing: %s", (body) => expect(revealsInternals(body)).toBe(false));
});
