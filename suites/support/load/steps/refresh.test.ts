import { expect, test } from "vitest";
import type { Client } from "../../actors/oauth-client.ts";
import type { Grant } from "../../material/grants.ts";
import type { LoadResponse } from "../engines/response.ts";
import type { Batch } from "../load-step.ts";
import { exampleExchange } from "./example-exchange.ts";
import { refreshRaces } from "./refresh-race.ts";
import { refreshRotations } from "./refresh.ts";

const client: Client = { client_id: "c", redirect_uris: [] };
const refreshRequest = (_client: Client, token: string) => ({
  method: "POST",
  url: "https://auth.example/oauth/token",
  body: token,
});

function grant(refreshToken: string): Grant {
  return {
    client,
    tokens: { access_token: "at", refresh_token: refreshToken, scope: "mail.read" },
    response: exampleExchange({ method: "POST", url: "" }, {}),
  };
}

function tokens(refreshToken: string) {
  return { access_token: "at", refresh_token: refreshToken };
}
const refusal = { error: "invalid_grant", error_description: "superseded" };

function answer(status: number, body: unknown, rawHeaders: readonly string[] = []): LoadResponse {
  return { status, rawHeaders, body: JSON.stringify(body), sentAtMs: 0, durationMs: 1 };
}

function refreshTokenOf(batch: Batch | undefined): unknown {
  return batch?.requests[0]?.body;
}

function judge(
  batch: Batch | undefined,
  ...responses: readonly (readonly [status: number, body: unknown])[]
) {
  if (batch === undefined) throw new TypeError("expected a batch");
  const request = batch.requests[0] ?? { method: "", url: "" };
  batch.judge(responses.map(([status, body]) => exampleExchange(request, { status, body })));
}

const retryLater = ["Retry-After", "1"];

test("a grant continues with the token of its last response, and is skipped while in flight", () => {
  const next = refreshRotations(refreshRequest, [grant("r0")]);
  const first = next();
  expect(refreshTokenOf(first)).toBe("r0");
  expect(next()).toBeUndefined();
  judge(first, [200, tokens("r1")]);
  first?.onSettled?.([answer(200, tokens("r1"))]);
  expect(refreshTokenOf(next())).toBe("r1");
});

test("a token whose request was shed is sent again, and may have been superseded", () => {
  const next = refreshRotations(refreshRequest, [grant("r0")]);
  const first = next();
  expect(first?.isExpectedStatus(400)).toBe(false);
  first?.onSettled?.([answer(503, {}, retryLater)]);
  const second = next();
  expect(refreshTokenOf(second)).toBe("r0");
  expect(second?.isExpectedStatus(400)).toBe(true);
  judge(second, [400, refusal]);
  expect(() => judge(second, [400, { error: "invalid_request", error_description: "" }])).toThrow(
    /invalid_grant/u,
  );
  second?.onSettled?.([answer(400, refusal)]);
  expect(next()).toBeUndefined();
});

test.for([
  { what: "failed", given: undefined },
  { what: "was refused", given: answer(400, refusal) },
  { what: "returned no refresh token", given: answer(200, { access_token: "at" }) },
  { what: "returned invalid JSON", given: { ...answer(200, ""), body: "<html>" } },
])("a grant whose request $what is not used again", ({ given }) => {
  const next = refreshRotations(refreshRequest, [grant("r0")]);
  next()?.onSettled?.([given]);
  expect(next()).toBeUndefined();
});

test.for([
  { what: "a refusal", status: 400, body: refusal },
  { what: "no refresh token", status: 200, body: { access_token: "at" } },
  { what: "no access token", status: 200, body: { refresh_token: "r1" } },
  { what: "the same refresh token", status: 200, body: tokens("r0") },
  { what: "the refresh token of another grant", status: 200, body: tokens("s0") },
])("$what for a current refresh token is a violation", ({ status, body }) => {
  const next = refreshRotations(refreshRequest, [grant("r0"), grant("s0")]);
  expect(() => judge(next(), [status, body])).toThrow(/refresh.token/u);
});

test("a refresh token that another grant was issued earlier is a violation", () => {
  const next = refreshRotations(refreshRequest, [grant("r0"), grant("s0")]);
  const [first, second] = [next(), next()];
  judge(first, [200, tokens("r1")]);
  expect(() => judge(second, [200, tokens("r1")])).toThrow(/issued before/u);
});

test("races have two to four requests, each with its own grant", () => {
  const next = refreshRaces(refreshRequest, [grant("a"), grant("b"), grant("c"), grant("d")]);
  const races = Array.from({ length: 4 }, next);
  expect(races.map((race) => race?.requests.map(({ body }) => body))).toEqual([
    ["a", "a"],
    ["b", "b", "b"],
    ["c", "c", "c", "c"],
    ["d", "d"],
  ]);
  expect(next()).toBeUndefined();
});

test("one success or none is accepted", () => {
  const race = refreshRaces(refreshRequest, [grant("a")])();
  judge(race, [200, tokens("b")], [400, refusal]);
  judge(race, [400, refusal], [401, refusal]);
  judge(race, [200, tokens("b")]);
});

test.for([
  { what: "two successes", responses: [200, 200].map((status) => [status, tokens("b")] as const) },
  { what: "tokens in a refusal", responses: [[400, { ...refusal, ...tokens("b") }] as const] },
  { what: "an error without error_description", responses: [[400, { error: "invalid_grant" }] as const] },
  { what: "500", responses: [[500, refusal] as const] },
])("$what in a race is a violation", ({ responses }) => {
  const race = refreshRaces(refreshRequest, [grant("a")])();
  expect(() => judge(race, ...responses)).toThrow(/expected/u);
});

test("a raced token is replayed once, and must be refused", () => {
  const next = refreshRaces(refreshRequest, [grant("a"), grant("b")]);
  next()?.onSettled?.([answer(400, refusal), answer(200, tokens("a1"))]);
  const reuse = next();
  expect(reuse?.requests.map(({ body }) => body)).toEqual(["a"]);
  expect(reuse?.isExpectedStatus(200)).toBe(false);
  judge(reuse, [400, refusal]);
  expect(() => judge(reuse, [200, tokens("a2")])).toThrow(/no tokens/u);
  expect(refreshTokenOf(next())).toBe("b");
});

test("a token without a visible winner is not replayed", () => {
  const next = refreshRaces(refreshRequest, [grant("a"), grant("b")]);
  next()?.onSettled?.([answer(400, refusal), undefined]);
  expect(refreshTokenOf(next())).toBe("b");
});
