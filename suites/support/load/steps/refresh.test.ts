import { expect, test } from "vitest";
import type { Client } from "../../actors/oauth-client.ts";
import type { Grant } from "../../material/grants.ts";
import type { Answer } from "../engines/answer.ts";
import type { Volley } from "../load-step.ts";
import { exampleExchange } from "./example-exchange.ts";
import { raceInTurn } from "./refresh-race.ts";
import { refreshInTurn } from "./refresh.ts";

const client: Client = { client_id: "c", redirect_uris: [] };
const present = (_client: Client, token: string) => ({
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

function answer(status: number, body: unknown, rawHeaders: readonly string[] = []): Answer {
  return { status, rawHeaders, body: JSON.stringify(body), sentAtMs: 0, durationMs: 1 };
}

/** What the volley presents. */
function presented(volley: Volley | undefined): unknown {
  return volley?.requests[0]?.body;
}

/** Judged as the engine does: whatever `isPlanned` refuses is a violation as well. */
function judge(
  volley: Volley | undefined,
  ...answers: readonly (readonly [status: number, body: unknown])[]
) {
  if (volley === undefined) throw new TypeError("expected a volley");
  const request = volley.requests[0] ?? { method: "", url: "" };
  volley.judge(answers.map(([status, body]) => exampleExchange(request, { status, body })));
}

const retryLater = ["Retry-After", "1"];

test("a grant goes on with the token of its last answer, and rests while it is under way", () => {
  const next = refreshInTurn(present, [grant("r0")]);
  const first = next();
  expect(presented(first)).toBe("r0");
  expect(next()).toBeUndefined();
  judge(first, [200, tokens("r1")]);
  first?.settled?.([answer(200, tokens("r1"))]);
  expect(presented(next())).toBe("r1");
});

test("a token that was turned away is presented again, and may have been superseded meanwhile", () => {
  const next = refreshInTurn(present, [grant("r0")]);
  const first = next();
  expect(first?.isPlanned(400)).toBe(false);
  first?.settled?.([answer(503, {}, retryLater)]);
  const second = next();
  expect(presented(second)).toBe("r0");
  expect(second?.isPlanned(400)).toBe(true);
  judge(second, [400, refusal]);
  expect(() => judge(second, [400, { error: "invalid_request", error_description: "" }])).toThrow(
    /invalid_grant/u,
  );
  second?.settled?.([answer(400, refusal)]);
  expect(next()).toBeUndefined();
});

test.for([
  { what: "never came", given: undefined },
  { what: "was a refusal", given: answer(400, refusal) },
  { what: "had no refresh token", given: answer(200, { access_token: "at" }) },
  { what: "was no JSON", given: { ...answer(200, ""), body: "<html>" } },
])("a grant whose answer $what is not used again", ({ given }) => {
  const next = refreshInTurn(present, [grant("r0")]);
  next()?.settled?.([given]);
  expect(next()).toBeUndefined();
});

test.for([
  { what: "a refusal", status: 400, body: refusal },
  { what: "no refresh token", status: 200, body: { access_token: "at" } },
  { what: "no access token", status: 200, body: { refresh_token: "r1" } },
  { what: "the same refresh token", status: 200, body: tokens("r0") },
  { what: "the refresh token of another grant", status: 200, body: tokens("s0") },
])("$what for a current refresh token is a violation", ({ status, body }) => {
  const next = refreshInTurn(present, [grant("r0"), grant("s0")]);
  expect(() => judge(next(), [status, body])).toThrow(/refresh.token/u);
});

test("a refresh token that another grant was issued earlier is a violation", () => {
  const next = refreshInTurn(present, [grant("r0"), grant("s0")]);
  const [first, second] = [next(), next()];
  judge(first, [200, tokens("r1")]);
  expect(() => judge(second, [200, tokens("r1")])).toThrow(/issued before/u);
});

test("races take two to four connections, each with a grant of its own", () => {
  const next = raceInTurn(present, [grant("a"), grant("b"), grant("c"), grant("d")]);
  const races = Array.from({ length: 4 }, next);
  expect(races.map((race) => race?.requests.map(({ body }) => body))).toEqual([
    ["a", "a"],
    ["b", "b", "b"],
    ["c", "c", "c", "c"],
    ["d", "d"],
  ]);
  expect(next()).toBeUndefined();
});

test("one winner or none is right", () => {
  const race = raceInTurn(present, [grant("a")])();
  judge(race, [200, tokens("b")], [400, refusal]);
  judge(race, [400, refusal], [401, refusal]);
  judge(race, [200, tokens("b")]);
});

test.for([
  { what: "two winners", answers: [200, 200].map((status) => [status, tokens("b")] as const) },
  { what: "tokens in a refusal", answers: [[400, { ...refusal, ...tokens("b") }] as const] },
  { what: "an error without a description", answers: [[400, { error: "invalid_grant" }] as const] },
  { what: "an error of the server", answers: [[500, refusal] as const] },
])("$what in a race is a violation", ({ answers }) => {
  const race = raceInTurn(present, [grant("a")])();
  expect(() => judge(race, ...answers)).toThrow(/expected/u);
});

test("what was won is presented once more, and must be refused", () => {
  const next = raceInTurn(present, [grant("a"), grant("b")]);
  next()?.settled?.([answer(400, refusal), answer(200, tokens("a1"))]);
  const reuse = next();
  expect(reuse?.requests.map(({ body }) => body)).toEqual(["a"]);
  expect(reuse?.isPlanned(200)).toBe(false);
  judge(reuse, [400, refusal]);
  expect(() => judge(reuse, [200, tokens("a2")])).toThrow(/no tokens/u);
  expect(presented(next())).toBe("b");
});

test("what nobody was seen to win is not presented again", () => {
  const next = raceInTurn(present, [grant("a"), grant("b")]);
  next()?.settled?.([answer(400, refusal), undefined]);
  expect(presented(next())).toBe("b");
});
