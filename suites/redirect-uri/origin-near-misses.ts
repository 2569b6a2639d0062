import { redirectUris } from "../support/material/registrations.ts";
import { changed, type NearMiss } from "./near-miss.ts";

// What a comparison of parsed URLs accepts, or one that looks at a part of the origin alone.
const schemesAndPorts: readonly NearMiss[] = [
  changed("REDIR-09", "upper-case-scheme", "with its scheme in upper case", ({ scheme }) => ({
    scheme: scheme.toUpperCase(),
  })),
  changed("REDIR-10", "other-scheme", "with http for https", ({ scheme }) => ({
    scheme: scheme === "https" ? "http" : "https",
  })),
  changed("REDIR-11", "default-port", "with the default port added", ({ scheme }) => ({
    port: scheme === "https" ? ":443" : ":80",
  })),
  changed("REDIR-12", "other-port", "with the port 8443", () => ({ port: ":8443" })),
  changed("REDIR-12", "zero-before-port", "with the port 0443", () => ({ port: ":0443" })),
  changed("REDIR-12", "port-too-large", "with the port 443443", () => ({ port: ":443443" })),
];

const hosts: readonly NearMiss[] = [
  changed("REDIR-08", "upper-case-host", "with its host in upper case", ({ host }) => ({
    host: host.toUpperCase(),
  })),
  changed("REDIR-08", "capital-host", "with the first label of its host in upper case", ({ host }) => ({
    host: host.replace(/^[a-z]+/u, (label) => label.toUpperCase()),
  })),
  // What a comparison by substring accepts, or one whose parser differs from a browser's.
  changed("REDIR-16", "user", "with a user before its host", ({ host }) => ({ host: `user@${host}` })),
  changed("REDIR-16", "host-as-user", "with its host as the user of `evil.test`", ({ host }) => ({
    host: `${host}@evil.test`,
  })),
  changed("REDIR-16", "backslash-before-at", "with `evil.test\\@` before its host", ({ host }) => ({
    host: `evil.test\\@${host}`,
  })),
  // What a comparison by prefix, by suffix, by domain or by an unescaped pattern accepts.
  changed("REDIR-19", "host-as-prefix", "with `.evil.test` added to its host", ({ host }) => ({
    host: `${host}.evil.test`,
  })),
  changed("REDIR-19", "host-as-suffix", "with `evil` before its host", ({ host }) => ({
    host: `evil${host}`,
  })),
  changed("REDIR-19", "subdomain", "with a subdomain of its host", ({ host }) => ({ host: `x.${host}` })),
  changed("REDIR-19", "dot-as-letter", "with a letter for the first dot of its host", ({ host }) => ({
    host: host.replace(".", "X"),
  })),
  changed("REDIR-22", "trailing-dot-host", "with a trailing dot added to its host", ({ host }) => ({
    host: `${host}.`,
  })),
];

// What a comparison accepts after Unicode or IDNA normalisation.
const unicode: readonly NearMiss[] = [
  changed("REDIR-20", "fullwidth-dot", "with a full-width dot in its host", ({ host }) => ({
    host: host.replace(".", "\u{FF0E}"),
  })),
  changed("REDIR-20", "cyrillic-letter", "with a Cyrillic letter in its host", ({ host }) => ({
    host: host.replace("c", "\u{0441}"),
  })),
  {
    requirement: "REDIR-20",
    slug: "unicode-for-punycode",
    words: "with its Punycode host in Unicode",
    sent: ({ whole }) => whole.replace("xn--bcher-kva", "b\u{00FC}cher"),
    client: "spellings",
    registered: redirectUris.punycode,
  },
  {
    requirement: "REDIR-20",
    slug: "composed-for-escape",
    words: "with a composed `é` for `%C3%A9`",
    sent: ({ whole }) => whole.replace("%C3%A9", "\u{00E9}"),
    client: "spellings",
    registered: redirectUris.percentEncoded,
  },
  {
    requirement: "REDIR-20",
    slug: "decomposed-for-escape",
    words: "with a decomposed `é` for `%C3%A9`",
    sent: ({ whole }) => whole.replace("%C3%A9", "e\u{0301}"),
    client: "spellings",
    registered: redirectUris.percentEncoded,
  },
];

/** Schemes, hosts and ports that a parser would take for the registered ones. */
export const originNearMisses: readonly NearMiss[] = [...schemesAndPorts, ...hosts, ...unicode];

function loopback(
  requirement: string,
  slug: string,
  words: string,
  sent: string,
  registered: string = redirectUris.loopback,
): NearMiss {
  return {
    requirement,
    slug,
    words,
    sent: () => sent,
    client: "native",
    registered,
  };
}

/** Ports of loopback literals stand apart: RFC 8252 §7.3 would let them vary, and a profile may tolerate that. */
export const loopbackPorts: readonly NearMiss[] = [
  loopback("REDIR-25", "other-port", "on a loopback address with another port", "http://127.0.0.1:9999/cb"),
  loopback("REDIR-25", "no-port", "on a loopback address without its port", "http://127.0.0.1/cb"),
  loopback(
    "REDIR-25",
    "ipv6-other-port",
    "on `[::1]` with another port",
    "http://[::1]:9999/cb",
    "http://[::1]:8123/cb",
  ),
  loopback(
    "REDIR-25",
    "localhost-other-port",
    "on `localhost` with another port",
    "http://localhost:9999/cb",
    "http://localhost:8123/cb",
  ),
];

// What a comparison of parsed addresses accepts, or one that takes any loopback name.
export const loopbackNames: readonly NearMiss[] = [
  loopback("REDIR-25", "other-literal", "with `[::1]` for `127.0.0.1`", "http://[::1]:8123/cb"),
  loopback("REDIR-26", "localhost", "with `localhost` for `127.0.0.1`", "http://localhost:8123/cb"),
  loopback("REDIR-26", "short-address", "with `127.1` for `127.0.0.1`", "http://127.1:8123/cb"),
  loopback(
    "REDIR-26",
    "padded-address",
    "with `127.000.000.001` for `127.0.0.1`",
    "http://127.000.000.001:8123/cb",
  ),
  loopback("REDIR-26", "decimal-address", "with `2130706433` for `127.0.0.1`", "http://2130706433:8123/cb"),
  loopback("REDIR-26", "https", "on a loopback address with https for http", "https://127.0.0.1:8123/cb"),
  loopback(
    "REDIR-26",
    "path-case",
    "on a loopback address with its path in upper case",
    "http://127.0.0.1:8123/CB",
  ),
  loopback(
    "REDIR-26",
    "slash-added",
    "on a loopback address with a trailing slash added",
    "http://127.0.0.1:8123/cb/",
  ),
  loopback(
    "REDIR-26",
    "address-as-prefix",
    "with `127.0.0.1.evil.test` for `127.0.0.1`",
    "http://127.0.0.1.evil.test:8123/cb",
  ),
];
