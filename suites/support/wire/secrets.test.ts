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

test("a client_id that is tried as the client_secret stays readable", () => {
  const mask = createSecretMask();
  mask.learn(exchange({ body: "client_id=client-of-everybody&client_secret=client-of-everybody" }));
  expect(mask.text("client-of-everybody")).toBe("client-of-everybody");
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

const html = `<form><input type="hidden" name="csrf_token" value="k3J-dd90aa">
<input name='request' type='hidden' value='Zm9vYmFyYmF6cXV4'><input type=hidden name=ticket value=abcdef0123456789>
<input type="hidden" name="scope" value="mail.read mail.send"><input type="hidden" name="client_id" value="client-0123456789abcdef">
<input type="hidden" name="step" value="consent"></form>`;

test("hidden fields of a page are masked there, in the form that sends them back and in addresses", () => {
  const mask = createSecretMask();
  mask.learn(exchange({ answer: html }));
  const shown = mask.text(
    `${html}\ncsrf_token=k3J-dd90aa&step=consent /consent/Zm9vYmFyYmF6cXV4?t=abcdef0123456789`,
  );
  expect(shown).not.toMatch(/k3J-dd90aa|Zm9vYmFyYmF6cXV4|abcdef0123456789[^a-z]/u);
  expect(shown).toContain('value="mail.read mail.send"');
  expect(shown).toContain("client-0123456789abcdef");
  expect(shown).toContain("step=consent");
  expect(shown).toMatch(/csrf_token=<csrf_token [0-9a-f]{8}, 10 characters>/u);
});

const accountId = "9f1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d";

test.for([
  { how: "sent as a cookie", seen: exchange({ requestHeaders: [["Cookie", `account=${accountId}`]] }) },
  { how: "sent as a bearer", seen: exchange({ requestHeaders: [["Authorization", `Bearer ${accountId}`]] }) },
  { how: "set as a cookie", seen: exchange({ responseHeaders: [["Set-Cookie", `account=${accountId}`]] }) },
  { how: "sent as a token", seen: exchange({ body: `token=${accountId}` }) },
  {
    how: "a hidden field",
    seen: exchange({ answer: `<input type="hidden" name="inbox" value="${accountId}">` }),
  },
])("an account id $how stays readable", ({ seen }) => {
  const list = exchange({ answer: JSON.stringify({ agents: [{ accountId }] }) });
  for (const order of [
    [seen, list],
    [list, seen],
  ]) {
    const mask = createSecretMask();
    for (const each of order) mask.learn(each);
    expect(mask.exchange(list)).toEqual(list);
  }
});

test.for([
  { what: "username of a signup", seen: { body: JSON.stringify({ username: "ct1234567890" }) } },
  { what: "inbox of a signup", seen: { answer: JSON.stringify({ inbox: "ct1234567890" }) } },
  {
    what: "account id of a session document",
    seen: { answer: JSON.stringify({ primaryAccounts: { "urn:ietf:params:jmap:mail": "ct1234567890" } }) },
  },
])("the $what stays readable where it is tried as an apiKey", ({ seen }) => {
  const known = exchange(seen);
  const tried = exchange({ body: JSON.stringify({ apiKey: "ct1234567890" }) });
  const mask = createSecretMask();
  for (const each of [known, tried]) mask.learn(each);
  expect(mask.exchange(known)).toEqual(known);
});

test("a name that is tried as a code stays readable", () => {
  const known = exchange({ answer: JSON.stringify({ inbox: "mailproof-agent" }) });
  const tried = exchange({ body: "grant_type=authorization_code&code=mailproof-agent" });
  const mask = createSecretMask();
  for (const each of [tried, known]) mask.learn(each);
  expect(mask.exchange(known)).toEqual(known);
});

test("an apiKey that was issued is masked, whatever it was sent as", () => {
  const issued = exchange({ answer: JSON.stringify({ apiKey: secret }) });
  const sent = exchange({ body: JSON.stringify({ username: secret, apiKey: secret }) });
  const mask = createSecretMask();
  for (const each of [sent, issued]) mask.learn(each);
  expect(mask.text(secret)).toMatch(/^<apiKey /u);
});

test.for([
  {
    where: "a fragment",
    seen: exchange({ responseHeaders: [["Location", `https://a/cb#state=s&access_token=${secret}`]] }),
  },
  {
    where: "a private key",
    seen: exchange({ answer: JSON.stringify({ keys: [{ kty: "OKP", x: "public", d: secret }] }) }),
  },
  {
    where: "a form that a page posts",
    seen: exchange({ answer: `<input type="hidden" name="code" value="${secret}">` }),
  },
])("a secret in $where is masked", ({ seen }) => {
  const mask = createSecretMask();
  mask.learn(seen);
  expect(mask.text(`(${secret})`)).toMatch(/^\(<\w+ [0-9a-f]{8}, 17 characters>\)$/u);
});

test.for([
  { text: `x${jwt}.`, shown: /^x<JWT [0-9a-f]{8}, \d+ characters>\.$/u },
  { text: `"token":"${jwt}"`, shown: /^"token":"<JWT [0-9a-f]{8}, \d+ characters>"$/u },
  { text: `token%3D${jwt}%26a`, shown: /^token%3D<JWT [0-9a-f]{8}, \d+ characters>%26a$/u },
  { text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", shown: /^<JWT [0-9a-f]{8}, \d+ characters>\.$/u },
  {
    text: "-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END",
    shown: /^<private_key [0-9a-f]{8}, \d+ characters>-----END$/u,
  },
  {
    text: "the host api.eyJ.example and version 1.2.3",
    shown: /^the host api\.eyJ\.example and version 1\.2\.3$/u,
  },
])("by its shape alone: $text", ({ text, shown }) => {
  expect(createSecretMask().text(text)).toMatch(shown);
});
