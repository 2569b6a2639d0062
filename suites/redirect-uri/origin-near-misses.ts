import { redirectUris } from "../support/material/clients.ts";
import { type NearMiss, rebuilt } from "./near-miss.ts";

/** Schemes, hosts and ports that a parser would take for the registered ones. */
export const originNearMisses: readonly NearMiss[] = [
  {
    requirement: "REDIR-08",
    slug: "upper-case-host",
    fools: "a comparison of parsed URLs",
    sent: (uri) => rebuilt(uri, { host: uri.host.toUpperCase() }),
  },
  {
    requirement: "REDIR-08",
    slug: "capital-host",
    fools: "a comparison of parsed URLs",
    sent: (uri) => rebuilt(uri, { host: uri.host.replace(/^[a-z]+/u, (label) => label.toUpperCase()) }),
  },
  {
    requirement: "REDIR-09",
    slug: "upper-case-scheme",
    fools: "a comparison of parsed URLs",
    sent: (uri) => rebuilt(uri, { scheme: uri.scheme.toUpperCase() }),
  },
  {
    requirement: "REDIR-10",
    slug: "other-scheme",
    fools: "one of host and path alone",
    sent: (uri) => rebuilt(uri, { scheme: uri.scheme === "https" ? "http" : "https" }),
  },
  {
    requirement: "REDIR-11",
    slug: "default-port",
    fools: "a comparison of parsed URLs",
    sent: (uri) => rebuilt(uri, { port: uri.scheme === "https" ? ":443" : ":80" }),
  },
  {
    requirement: "REDIR-12",
    slug: "other-port",
    fools: "one that ignores ports",
    sent: (uri) => rebuilt(uri, { port: ":8443" }),
  },
  {
    requirement: "REDIR-12",
    slug: "zero-before-port",
    fools: "one that reads ports as numbers",
    sent: (uri) => rebuilt(uri, { port: ":0443" }),
  },
  {
    requirement: "REDIR-12",
    slug: "port-too-large",
    fools: "one that ignores ports",
    sent: (uri) => rebuilt(uri, { port: ":443443" }),
  },
  {
    requirement: "REDIR-16",
    slug: "user",
    fools: "one of the host alone",
    sent: (uri) => rebuilt(uri, { host: `user@${uri.host}` }),
  },
  {
    requirement: "REDIR-16",
    slug: "host-as-user",
    fools: "one by substring",
    sent: (uri) => rebuilt(uri, { host: `${uri.host}@evil.test` }),
  },
  {
    requirement: "REDIR-16",
    slug: "backslash-before-at",
    fools: "one whose parser differs from a browser's",
    sent: (uri) => rebuilt(uri, { host: `evil.test\\@${uri.host}` }),
  },
  {
    requirement: "REDIR-19",
    slug: "host-as-prefix",
    fools: "one by prefix",
    sent: (uri) => rebuilt(uri, { host: `${uri.host}.evil.test` }),
  },
  {
    requirement: "REDIR-19",
    slug: "host-as-suffix",
    fools: "one by suffix",
    sent: (uri) => rebuilt(uri, { host: `evil${uri.host}` }),
  },
  {
    requirement: "REDIR-19",
    slug: "subdomain",
    fools: "one that takes subdomains",
    sent: (uri) => rebuilt(uri, { host: `x.${uri.host}` }),
  },
  {
    requirement: "REDIR-19",
    slug: "dot-as-letter",
    fools: "a pattern with unescaped dots",
    sent: (uri) => rebuilt(uri, { host: uri.host.replace(".", "X") }),
  },
  {
    requirement: "REDIR-20",
    slug: "fullwidth-dot",
    fools: "one after Unicode normalisation",
    sent: (uri) => rebuilt(uri, { host: uri.host.replace(".", "\u{FF0E}") }),
  },
  {
    requirement: "REDIR-20",
    slug: "cyrillic-letter",
    fools: "one by looks",
    sent: (uri) => rebuilt(uri, { host: uri.host.replace("c", "\u{0441}") }),
  },
  {
    requirement: "REDIR-20",
    slug: "unicode-for-punycode",
    fools: "one after IDNA",
    sent: ({ whole }) => whole.replace("xn--bcher-kva", "b\u{00FC}cher"),
    client: "spellings",
    registered: redirectUris.punycode,
  },
  {
    requirement: "REDIR-20",
    slug: "composed-for-escape",
    fools: "one of decoded paths",
    sent: ({ whole }) => whole.replace("%C3%A9", "\u{00E9}"),
    client: "spellings",
    registered: redirectUris.percentEncoded,
  },
  {
    requirement: "REDIR-20",
    slug: "decomposed-for-escape",
    fools: "one after Unicode normalisation",
    sent: ({ whole }) => whole.replace("%C3%A9", "e\u{0301}"),
    client: "spellings",
    registered: redirectUris.percentEncoded,
  },
  {
    requirement: "REDIR-22",
    slug: "trailing-dot-host",
    fools: "one of names as DNS has them",
    sent: (uri) => rebuilt(uri, { host: `${uri.host}.` }),
  },
];

const loopback = (requirement: string, slug: string, fools: string, sent: string): NearMiss => ({
  requirement,
  slug,
  fools,
  sent: () => sent,
  client: "native",
  registered: redirectUris.loopback,
});

/** Ports of loopback literals stand apart: RFC 8252 §7.3 would let them vary, and a profile may tolerate that. */
export const loopbackPorts: readonly NearMiss[] = [
  loopback("REDIR-25", "other-port", "the loopback rule of RFC 8252", "http://127.0.0.1:9999/cb"),
  loopback("REDIR-25", "no-port", "the loopback rule of RFC 8252", "http://127.0.0.1/cb"),
];

export const loopbackNames: readonly NearMiss[] = [
  loopback("REDIR-25", "other-literal", "one that takes any loopback address", "http://[::1]:8123/cb"),
  loopback("REDIR-26", "localhost", "one that takes any loopback name", "http://localhost:8123/cb"),
  loopback("REDIR-26", "short-address", "one of parsed addresses", "http://127.1:8123/cb"),
  loopback("REDIR-26", "padded-address", "one of parsed addresses", "http://127.000.000.001:8123/cb"),
  loopback("REDIR-26", "decimal-address", "one of parsed addresses", "http://2130706433:8123/cb"),
  loopback("REDIR-26", "https", "one of host and path alone", "https://127.0.0.1:8123/cb"),
  loopback("REDIR-26", "path-case", "one without regard to case", "http://127.0.0.1:8123/CB"),
  loopback("REDIR-26", "slash-added", "one that ignores a trailing slash", "http://127.0.0.1:8123/cb/"),
  loopback("REDIR-26", "address-as-prefix", "one by prefix", "http://127.0.0.1.evil.test:8123/cb"),
];
