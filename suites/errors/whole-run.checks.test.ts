import { describe, expect, test } from "vitest";
import type { Exchange, HeaderLines } from "../support/wire/exchange.ts";
import { isServerError, revealsInternals } from "./whole-run.checks.ts";

function answered(status: number, headers: HeaderLines = []): Exchange {
  const request = { method: "GET", url: "https://auth.example/", headers: [], body: "" };
  return { number: 0, startedAt: "", durationMs: 0, request, response: { status, headers, body: "" } };
}

test.for([
  { status: 500, headers: [], isError: true },
  { status: 503, headers: [], isError: true },
  { status: 503, headers: [["Retry-After", "1"]] as const, isError: false },
  { status: 500, headers: [["Retry-After", "1"]] as const, isError: true },
  { status: 404, headers: [], isError: false },
])("$status with $headers is a server error: $isError", ({ status, headers, isError }) => {
  expect(isServerError(answered(status, headers))).toBe(isError);
});

describe("an error body", () => {
  test.for([
    { why: "JavaScript", body: "TypeError: x\n    at parse (/app/dist/token.js:12:3)" },
    { why: "an anonymous frame", body: "Error\n    at async file:///app/x.js:1:2" },
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
  ])("reveals nothing: %s", (body) => expect(revealsInternals(body)).toBe(false));
});
