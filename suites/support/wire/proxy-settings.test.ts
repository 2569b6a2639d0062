import { expect, test } from "vitest";
import { type ProxyEnvironment, proxyFor } from "./proxy-settings.ts";

const proxies = { HTTPS_PROXY: "http://secure.example:3128", HTTP_PROXY: "plain.example:8080" };

function proxyOf(url: string, environment: ProxyEnvironment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  return proxyFor({ protocol, hostname: hostname.replaceAll(/[[\]]/gu, ""), port }, environment)?.host;
}

test.for([
  { why: "none is set", url: "https://a.example", environment: {}, proxy: undefined },
  { why: "it is empty", url: "https://a.example", environment: { HTTPS_PROXY: "" }, proxy: undefined },
  { why: "https", url: "https://a.example", environment: proxies, proxy: "secure.example:3128" },
  {
    why: "http, without a scheme",
    url: "http://a.example",
    environment: proxies,
    proxy: "plain.example:8080",
  },
  {
    why: "lower case comes first",
    url: "https://a.example",
    environment: { ...proxies, https_proxy: "http://lower.example:1" },
    proxy: "lower.example:1",
  },
  { why: "loopback by name", url: "http://localhost:8080", environment: proxies, proxy: undefined },
  { why: "loopback by IPv4", url: "http://127.0.0.1:8080", environment: proxies, proxy: undefined },
  { why: "loopback by IPv6", url: "http://[::1]:8080", environment: proxies, proxy: undefined },
])("the proxy: $why", ({ url, environment, proxy }) => {
  expect(proxyOf(url, environment)).toBe(proxy);
});

test.for([
  { exceptions: "*", url: "https://a.example", isProxied: false },
  { exceptions: "a.example", url: "https://a.example", isProxied: false },
  { exceptions: "b.example, a.example", url: "https://a.example", isProxied: false },
  { exceptions: "A.Example", url: "https://a.example", isProxied: false },
  { exceptions: "example", url: "https://a.example", isProxied: false },
  { exceptions: ".a.example", url: "https://a.example", isProxied: false },
  { exceptions: "*.a.example", url: "https://b.a.example", isProxied: false },
  { exceptions: "a.example:443", url: "https://a.example", isProxied: false },
  { exceptions: "a.example:8443", url: "https://a.example", isProxied: true },
  { exceptions: "a.example:8443", url: "https://a.example:8443", isProxied: false },
  { exceptions: "ample", url: "https://a.example", isProxied: true },
  { exceptions: "b.example", url: "https://a.example", isProxied: true },
  { exceptions: "2001:db8::1", url: "https://[2001:db8::1]", isProxied: false },
  { exceptions: "[2001:db8::1]:443", url: "https://[2001:db8::1]", isProxied: false },
  { exceptions: "[2001:db8::1]:80", url: "https://[2001:db8::1]", isProxied: true },
  { exceptions: "", url: "https://a.example", isProxied: true },
])("NO_PROXY=$exceptions and $url", ({ exceptions, url, isProxied }) => {
  expect(proxyOf(url, { ...proxies, NO_PROXY: exceptions }) !== undefined).toBe(isProxied);
});

test.for(["socks5://proxy.example", "http://[", "user:secret@"])(
  "%s is not a proxy, and is not repeated",
  (value) => {
    const failure = (): unknown => proxyOf("https://a.example", { HTTPS_PROXY: value });
    expect(failure).toThrow("HTTPS_PROXY is not the URL of an HTTP proxy");
    expect(failure).not.toThrow(value);
  },
);
