import { expect, test } from "vitest";
import type { Exchange } from "./exchange.ts";
import { createSecretMask } from "./secrets.ts";

function exchange(parts: {
  url?: string;
  requestHeaders?: Exchange["request"]["headers"];
  body?: string;
  responseHeaders?: Exchange["response"]["headers"];
  answer?: string;
}): Exchange {
  const {
    url = "https://auth.example/oauth/token",
    requestHeaders = [],
    body = "",
    responseHeaders = [],
    answer = "",
  } = parts;
  return {
    number: 0,
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    request: { method: "POST", url, headers: requestHeaders, body },
    response: { status: 200, headers: responseHeaders, body: answer },
  };
}

const secret = "SlAV32hkKG-opaque";
const jwt = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";

test.for([
  { where: "a form field", seen: exchange({ body: `grant_type=refresh_token&refresh_token=${secret}` }) },
  { where: "a query", seen: exchange({ url: `https://cb.example/cb?code=${secret}&state=s` }) },
  {
    where: "a Location",
    seen: exchange({ responseHeaders: [["location", `https://cb.example/cb?code=${secret}`]] }),
  },
  {
    where: "a JSON answer",
    seen: exchange({ answer: JSON.stringify({ tokens: [{ access_token: secret }] }) }),
  },
  {
    where: "a bearer credential",
    seen: exchange({ requestHeaders: [["Authorization", `Bearer ${secret}`]] }),
  },
  {
    where: "a cookie",
    seen: exchange({ responseHeaders: [["Set-Cookie", `sid=${secret}; Path=/; HttpOnly`]] }),
  },
])("a secret in $where is masked there and wherever else it stands", ({ seen }) => {
  const mask = createSecretMask();
  mask.learn(seen);
  const elsewhere = exchange({ answer: `token ${secret} is unknown` });
  expect(JSON.stringify([mask.exchange(seen), mask.exchange(elsewhere)])).not.toContain(secret);
});

test("a secret inside a URL inside a URL is masked", () => {
  const mask = createSecretMask();
  mask.add("code", secret);
  expect(mask.text(`return_to=https%3A%2F%2Fa%2Fcb%3Fcode%3D${secret}%26state%3Dxyz`)).not.toContain(secret);
});

test("a password with characters of its own is masked in each spelling", () => {
  const mask = createSecretMask();
  const password = 'pass "word" & more';
  mask.add("password", password);
  const seen = mask.text([password, encodeURIComponent(password), JSON.stringify(password)].join("\n"));
  expect(seen.match(/<password/gu)).toHaveLength(3);
});

test("every spelling of a secret has one digest, and says how it is spelled", () => {
  const mask = createSecretMask();
  const password = 'pass "word" & more';
  mask.add("password", password);
  const digestOf = (text: string): string | undefined => / ([0-9a-f]{8}),/u.exec(mask.text(text))?.[1];
  expect(mask.text(password)).toMatch(/^<password [0-9a-f]{8}, 18 characters>$/u);
  expect(mask.text(encodeURIComponent(password))).toMatch(/, 18 characters, percent-encoded>$/u);
  expect(mask.text(JSON.stringify(password))).toMatch(/, 18 characters, JSON-escaped>"$/u);
  expect(digestOf(encodeURIComponent(password))).toBe(digestOf(password));
});

test.for([
  { why: "issued before it is used", usedFirst: false },
  { why: "used before it is issued", usedFirst: true },
])("a token is named after what it was issued as, when it is $why", ({ usedFirst }) => {
  const issued = exchange({ answer: JSON.stringify({ access_token: secret }) });
  const used = exchange({ requestHeaders: [["Authorization", `Bearer ${secret}`]] });
  const mask = createSecretMask();
  for (const seen of usedFirst ? [used, issued] : [issued, used]) mask.learn(seen);
  expect(mask.text(`Bearer ${secret}`)).toMatch(/^Bearer <access_token /u);
});

test("the credentials of HTTP Basic are named so", () => {
  const mask = createSecretMask();
  mask.learn(exchange({ requestHeaders: [["Authorization", "Basic Y2xpZW50OnNlY3JldA=="]] }));
  expect(mask.text("Basic Y2xpZW50OnNlY3JldA==")).toMatch(/^Basic <basic_credentials /u);
});

test("a JWT that was never learnt is masked by its form", () => {
  expect(createSecretMask().text(`error near ${jwt} here`)).toMatch(
    /^error near <JWT [0-9a-f]{8}, \d+ characters> here$/u,
  );
});

test("one secret has one fingerprint in a run, and another in the next", () => {
  const [one, other] = [createSecretMask(), createSecretMask()];
  for (const mask of [one, other]) mask.add("code", secret);
  expect(one.text(secret)).toBe(one.text(secret));
  expect(one.text(secret)).not.toBe(other.text(secret));
});

test("attributes of a cookie and plain words stay readable", () => {
  const mask = createSecretMask();
  mask.learn(
    exchange({
      responseHeaders: [["Set-Cookie", `sid=${secret}; Path=/oauth/authorize; HttpOnly; SameSite=Lax`]],
      answer: '{"error":"invalid_request"}',
    }),
  );
  expect(mask.text("HttpOnly SameSite=Lax /oauth/authorize invalid_request")).toBe(
    "HttpOnly SameSite=Lax /oauth/authorize invalid_request",
  );
});
