import { expect, test } from "vitest";
import type { Exchange } from "../../wire/exchange.ts";
import { createCookieJar } from "./cookie-jar.ts";

function answered(url: string, ...cookies: string[]): Exchange {
  return {
    number: 0,
    startedAt: "",
    durationMs: 0,
    request: { method: "GET", url, headers: [], body: "" },
    response: { status: 200, headers: cookies.map((line) => ["Set-Cookie", line] as const), body: "" },
  };
}

const from = "https://auth.example.com/oauth/authorize";

test.for([
  { why: "the host that set it", cookie: "a=1; Path=/", url: "https://auth.example.com/x", sent: "a=1" },
  {
    why: "no other host without Domain",
    cookie: "a=1; Path=/",
    url: "https://api.auth.example.com/",
    sent: undefined,
  },
  {
    why: "hosts below its Domain",
    cookie: "a=1; Path=/; Domain=example.com",
    url: "https://id.example.com/",
    sent: "a=1",
  },
  {
    why: "no host when its Domain is another's",
    cookie: "a=1; Path=/; Domain=evil.test",
    url: "https://evil.test/",
    sent: undefined,
  },
  {
    why: "no host when its Domain is a public suffix",
    cookie: "a=1; Path=/; Domain=com",
    url: "https://id.com/",
    sent: undefined,
  },
  {
    why: "paths below its own",
    cookie: "a=1; Path=/oauth",
    url: "https://auth.example.com/oauth/x",
    sent: "a=1",
  },
  {
    why: "no path that only begins alike",
    cookie: "a=1; Path=/oauth",
    url: "https://auth.example.com/oauth2",
    sent: undefined,
  },
  {
    why: "the folder of the page without Path",
    cookie: "a=1",
    url: "https://auth.example.com/oauth/consent",
    sent: "a=1",
  },
  {
    why: "no plain http when Secure",
    cookie: "a=1; Path=/; Secure",
    url: "http://auth.example.com/",
    sent: undefined,
  },
  { why: "nobody after Max-Age", cookie: "a=1; Path=/; Max-Age=0", url: from, sent: undefined },
  {
    why: "nobody after Expires",
    cookie: "a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    url: from,
    sent: undefined,
  },
  {
    why: "nobody when __Host- is not kept",
    cookie: "__Host-a=1; Path=/oauth; Secure",
    url: from,
    sent: undefined,
  },
])("a cookie is sent to $why", ({ cookie, url, sent }) => {
  const jar = createCookieJar();
  jar.store(answered(from, cookie));
  expect(jar.headerFor(url)).toBe(sent);
});

test("a cookie of a service on this machine is kept, Secure or not, for all its ports", () => {
  const jar = createCookieJar();
  jar.store(answered("http://127.0.0.1:8080/", "a=1; Path=/", "b=2; Path=/; Secure"));
  jar.store(answered("http://auth.localhost:8080/", "c=3; Path=/"));
  expect(jar.headerFor("http://127.0.0.1:9090/")).toBe("a=1; b=2");
  expect(jar.headerFor("http://auth.localhost:9090/")).toBe("c=3");
});

test("a cookie is replaced and deleted by one of its name, host and path", () => {
  const jar = createCookieJar();
  jar.store(answered(from, "a=1; Path=/", "a=2; Path=/oauth"));
  jar.store(answered(from, "a=3; Path=/"));
  expect(jar.headerFor(from)).toBe("a=2; a=3");
  jar.store(answered(from, "a=; Path=/; Max-Age=0"));
  expect(jar.headerFor(from)).toBe("a=2");
});

test("the oldest cookies of a host make room for new ones, and return when they are set again", () => {
  const jar = createCookieJar();
  const names = Array.from({ length: 60 }, (_, at) => `request-${at}`);
  for (const name of names) jar.store(answered(from, `${name}=1; Path=/`));
  const sent = (jar.headerFor(from) ?? "").split("; ").map((pair) => pair.split("=")[0]);
  expect(sent).toEqual(names.slice(10));
  jar.store(answered(from, "request-0=2; Path=/"));
  expect(jar.headerFor(from)).toContain("request-0=2");
});

test.for([
  { signIn: "session=1; Path=/", why: "both last as long as the session of the browser" },
  { signIn: "session=1; Path=/; Max-Age=3600", why: "the sign-in ends sooner" },
])("a cookie of each authorization pushes out its like, and not that of the sign-in: $why", ({ signIn }) => {
  const jar = createCookieJar();
  jar.store(answered(from, signIn));
  for (let at = 0; at < 60; at += 1) jar.store(answered(from, `__Host-request-${at}=1; Path=/; Secure`));
  const sent = (jar.headerFor(from) ?? "").split("; ");
  expect(sent).toHaveLength(50);
  expect(sent).toEqual(expect.arrayContaining(["session=1", "__Host-request-59=1"]));
});

test("a short-lived cookie of each authorization pushes out its like, and not that of the sign-in", () => {
  const jar = createCookieJar();
  jar.store(answered(from, "session=1; Path=/", "remembered=1; Path=/; Max-Age=86400"));
  for (let at = 0; at < 60; at += 1) jar.store(answered(from, `request-${at}=1; Path=/; Max-Age=600`));
  const sent = (jar.headerFor(from) ?? "").split("; ");
  expect(sent).toHaveLength(50);
  expect(sent).toEqual(expect.arrayContaining(["session=1", "remembered=1", "request-59=1"]));
});

test("the newest cookies are kept, however soon they end", () => {
  const jar = createCookieJar();
  for (let at = 0; at < 60; at += 1) jar.store(answered(from, `session-${at}=1; Path=/`));
  jar.store(answered(from, "request=1; Path=/; Max-Age=60"));
  jar.store(answered(from, "other=1; Path=/"));
  expect(jar.headerFor(from)).toContain("request=1");
});
