import { type Exchange, headerValues } from "../../wire/exchange.ts";

/** The cookies of one browser session. Hosts share no cookies; ports of one host do, as in a browser (RFC 6265 §8.5). */
export interface CookieJar {
  store(exchange: Exchange): void;
  /** The `Cookie` header value for a request to `url`, or undefined when there is nothing to send. */
  headerFor(url: string): string | undefined;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export function createCookieJar(): CookieJar {
  const byHost = new Map<string, Map<string, Cookie>>();
  return {
    store(exchange) {
      const { hostname, pathname } = new URL(exchange.request.url);
      const cookies = byHost.get(hostname) ?? new Map<string, Cookie>();
      byHost.set(hostname, cookies);
      for (const line of headerValues(exchange, "set-cookie")) {
        const [pair = "", ...attributes] = line.split(";");
        const at = pair.indexOf("=");
        if (at < 1) continue;
        const named = new Map(attributes.map((attribute) => attributePair(attribute)));
        const path = named.get("path")?.startsWith("/") ? (named.get("path") ?? "/") : defaultPath(pathname);
        const cookie = { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim(), path };
        const key = `${cookie.name};${path}`;
        if (hasExpired(named)) cookies.delete(key);
        else cookies.set(key, cookie);
      }
    },
    headerFor(url) {
      const { hostname, pathname } = new URL(url);
      const fitting = [...(byHost.get(hostname)?.values() ?? [])]
        .filter((cookie) => pathMatches(pathname, cookie.path))
        // RFC 6265 §5.4: longer paths first.
        .toSorted((a, b) => b.path.length - a.path.length);
      return fitting.length === 0
        ? undefined
        : fitting.map(({ name, value }) => `${name}=${value}`).join("; ");
    },
  };
}

function attributePair(attribute: string): [name: string, value: string] {
  const [name = "", value = ""] = attribute.split("=", 2);
  return [name.trim().toLowerCase(), value.trim()];
}

function hasExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = Date.parse(attributes.get("expires") ?? "");
  return !Number.isNaN(expires) && expires <= Date.now();
}

function defaultPath(pathname: string): string {
  const end = pathname.lastIndexOf("/");
  return end <= 0 ? "/" : pathname.slice(0, end);
}

function pathMatches(requested: string, path: string): boolean {
  return requested === path || requested.startsWith(path.endsWith("/") ? path : `${path}/`);
}
