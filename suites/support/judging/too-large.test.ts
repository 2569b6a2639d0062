import { expect, test } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { isTooLarge } from "./too-large.ts";

function answered(status: number, body: object): Exchange {
  return {
    response: { status, headers: [["content-type", "application/json"]], body: JSON.stringify(body) },
  } as unknown as Exchange;
}

test.for([
  { status: 400, body: { type: "urn:ietf:params:jmap:error:limit", limit: "maxCallsInRequest" }, is: true },
  { status: 413, body: { type: "urn:ietf:params:jmap:error:limit" }, is: true },
  { status: 400, body: { error: "invalid_request", error_description: "Too many calls." }, is: true },
  { status: 400, body: { error: "invalid_request", error_description: "too many method calls" }, is: true },
  {
    status: 400,
    body: { error: "invalid_request", error_description: "more than maxCallsInRequest" },
    is: true,
  },
  { status: 400, body: { error: "invalid_request", error_description: "methodCalls is missing" }, is: false },
  { status: 400, body: { error: "invalid_request", error_description: "limit must be positive" }, is: false },
  { status: 403, body: { error: "access_denied", error_description: "at most your own" }, is: false },
])("$status $body.error $body.error_description", ({ status, body, is }) => {
  expect(isTooLarge(answered(status, body))).toBe(is);
});
