import { type ClientKind, redirectUris } from "../support/clients.ts";

/** A registered URI cut as text, so that a near miss changes one piece and keeps every other byte. */
export interface UriPieces {
  readonly whole: string;
  readonly scheme: string;
  readonly host: string;
  /** With its colon; empty when there is none. */
  readonly port: string;
  readonly path: string;
}

export function pieces(uri: string): UriPieces {
  const [, scheme = "", host = "", port = "", path = ""] =
    /^([a-z]+):\/\/([^/:?#]+)(:\d+)?([^?#]*)/u.exec(uri) ?? [];
  return { whole: uri, scheme, host, port, path };
}

/** A value of `redirect_uri` that is not registered, though one comparison or another would take it for the registered one. */
export interface NearMiss {
  readonly requirement: string;
  readonly slug: string;
  /** The comparison that takes it. */
  readonly fools: string;
  /** What is sent, from the registered URI; it goes out percent-encoded once. */
  readonly sent: (registered: UriPieces) => string;
  /** Which client, and which of its URIs; the public client and its first unless given. */
  readonly client?: ClientKind;
  readonly registered?: string;
}

const rebuilt = (uri: UriPieces, changed: Partial<UriPieces>): string => {
  const { scheme, host, port, path } = { ...uri, ...changed };
  return `${scheme}://${host}${port}${path}`;
};

/** The path less its last segment: `/oauth` of `/oauth/cb`. */
const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The character as an escape that decodes to it. */
const escaped = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;

const paths: readonly NearMiss[] = [
  {
    requirement: "REDIR-03",
    slug: "segment-added",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}/x`,
  },
  {
    requirement: "REDIR-03",
    slug: "climbing-out",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}/../evil`,
  },
  {
    requirement: "REDIR-03",
    slug: "slash-added",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}/`,
  },
  {
    requirement: "REDIR-03",
    slug: "letter-added",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}x`,
  },
  {
    requirement: "REDIR-03",
    slug: "suffix-added",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}.evil`,
  },
  {
    requirement: "REDIR-03",
    slug: "encoded-slash-added",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}%2Fx`,
  },
  {
    requirement: "REDIR-04",
    slug: "letter-dropped",
    fools: "a comparison by reversed prefix",
    sent: ({ whole }) => whole.slice(0, -1),
  },
  {
    requirement: "REDIR-04",
    slug: "segment-dropped",
    fools: "a comparison by reversed prefix",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}/` }),
  },
  {
    requirement: "REDIR-04",
    slug: "parent",
    fools: "a comparison by reversed prefix",
    sent: (uri) => rebuilt(uri, { path: parent(uri.path) }),
  },
  {
    requirement: "REDIR-04",
    slug: "root",
    fools: "a comparison by reversed prefix",
    sent: (uri) => rebuilt(uri, { path: "/" }),
  },
  {
    requirement: "REDIR-04",
    slug: "origin",
    fools: "a comparison by reversed prefix",
    sent: (uri) => rebuilt(uri, { path: "" }),
  },
  {
    requirement: "REDIR-05",
    slug: "other-path",
    fools: "a comparison by origin",
    sent: (uri) => rebuilt(uri, { path: "/attacker" }),
  },
  {
    requirement: "REDIR-06",
    slug: "slash-added",
    fools: "one that ignores a trailing slash",
    sent: ({ whole }) => `${whole}/`,
  },
  {
    requirement: "REDIR-06",
    slug: "slash-dropped",
    fools: "one that ignores a trailing slash",
    sent: ({ whole }) => whole.slice(0, -1),
    client: "spellings",
    registered: redirectUris.withTrailingSlash,
  },
  {
    requirement: "REDIR-07",
    slug: "first-segment",
    fools: "one without regard to case",
    sent: (uri) =>
      rebuilt(uri, { path: parent(uri.path).toUpperCase() + uri.path.slice(parent(uri.path).length) }),
  },
  {
    requirement: "REDIR-07",
    slug: "last-segment",
    fools: "one without regard to case",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}/${lastSegment(uri.path).toUpperCase()}` }),
  },
  {
    requirement: "REDIR-17",
    slug: "dot-segment",
    fools: "one of normalised paths",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}/./${lastSegment(uri.path)}` }),
  },
  {
    requirement: "REDIR-17",
    slug: "back-and-forth",
    fools: "one of normalised paths",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}/x/../${lastSegment(uri.path)}` }),
  },
  {
    requirement: "REDIR-17",
    slug: "climbing-twice",
    fools: "one by prefix, normalised later",
    sent: ({ whole }) => `${whole}/../../evil`,
  },
  {
    requirement: "REDIR-17",
    slug: "encoded-slash",
    fools: "one that decodes late",
    sent: ({ whole }) => `${whole}/..%2Fevil`,
  },
  {
    requirement: "REDIR-17",
    slug: "encoded-dots",
    fools: "one that decodes late",
    sent: ({ whole }) => `${whole}/%2e%2e%2Fevil`,
  },
  {
    requirement: "REDIR-17",
    slug: "encoded-dots-twice",
    fools: "one that decodes twice",
    sent: ({ whole }) => `${whole}/%252e%252e%252Fevil`,
  },
  {
    requirement: "REDIR-17",
    slug: "path-parameter",
    fools: "one that cuts path parameters",
    sent: ({ whole }) => `${whole};/../../evil`,
  },
  {
    requirement: "REDIR-17",
    slug: "encoded-dot-segment",
    fools: "one of normalised paths",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}/%2e/${lastSegment(uri.path)}` }),
  },
  {
    requirement: "REDIR-18",
    slug: "letter-encoded",
    fools: "one that decodes again",
    sent: (uri) => rebuilt(uri, { path: uri.path.slice(0, -1) + escaped(uri.path.slice(-1)) }),
  },
  {
    requirement: "REDIR-18",
    slug: "first-letter-encoded",
    fools: "one that decodes again",
    sent: (uri) =>
      rebuilt(uri, {
        path: `${parent(uri.path)}/${escaped(lastSegment(uri.path).slice(0, 1))}${lastSegment(uri.path).slice(1)}`,
      }),
  },
  {
    requirement: "REDIR-18",
    slug: "slash-encoded",
    fools: "one that decodes again",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}%2F${lastSegment(uri.path)}` }),
  },
  {
    requirement: "REDIR-18",
    slug: "encoded-space-added",
    fools: "one that decodes and trims",
    sent: ({ whole }) => `${whole}%20`,
  },
  {
    requirement: "REDIR-18",
    slug: "whole-encoded",
    fools: "one that decodes again",
    sent: ({ whole }) => encodeURIComponent(whole),
  },
  {
    requirement: "REDIR-18",
    slug: "escape-in-lower-case",
    fools: "one of normalised escapes",
    sent: ({ whole }) => whole.replace("%C3%A9", "%c3%a9"),
    client: "spellings",
    registered: redirectUris.percentEncoded,
  },
  {
    requirement: "REDIR-27",
    slug: "path-parameter",
    fools: "one that cuts path parameters",
    sent: ({ whole }) => `${whole};x`,
  },
  {
    requirement: "REDIR-27",
    slug: "empty-segment",
    fools: "one that merges slashes",
    sent: (uri) => rebuilt(uri, { path: `${parent(uri.path)}//${lastSegment(uri.path)}` }),
  },
  {
    requirement: "REDIR-27",
    slug: "empty-first-segment",
    fools: "one that merges slashes",
    sent: (uri) => rebuilt(uri, { path: `/${uri.path}` }),
  },
];

const origins: readonly NearMiss[] = [
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

const queriesAndFragments: readonly NearMiss[] = [
  {
    requirement: "REDIR-13",
    slug: "query-added",
    fools: "a comparison without the query",
    sent: ({ whole }) => `${whole}?x=1`,
  },
  {
    requirement: "REDIR-13",
    slug: "empty-query-added",
    fools: "a comparison without the query",
    sent: ({ whole }) => `${whole}?`,
  },
  {
    requirement: "REDIR-13",
    slug: "code-added",
    fools: "a comparison without the query",
    sent: ({ whole }) => `${whole}?code=attacker`,
  },
  {
    requirement: "REDIR-13",
    slug: "parameter-added",
    fools: "a comparison by prefix",
    sent: ({ whole }) => `${whole}&x=1`,
  },
  ...["", "?tenant=8", "?tenant=7&x=1", "?Tenant=7", "?tenant=%37"].map((query) => ({
    requirement: "REDIR-14",
    slug:
      {
        "": "query-dropped",
        "?tenant=8": "value-changed",
        "?tenant=7&x=1": "parameter-added",
        "?Tenant=7": "name-in-other-case",
      }[query] ?? "value-encoded",
    fools: "a comparison of parsed queries, or without them",
    sent: ({ whole }: UriPieces) => whole.replace(/\?.*$/u, query),
    registered: redirectUris.withQuery,
  })),
  {
    requirement: "REDIR-15",
    slug: "empty-fragment",
    fools: "a comparison without the fragment",
    sent: ({ whole }) => `${whole}#`,
  },
  {
    requirement: "REDIR-15",
    slug: "fragment",
    fools: "a comparison without the fragment",
    sent: ({ whole }) => `${whole}#x`,
  },
  {
    requirement: "REDIR-15",
    slug: "encoded-fragment",
    fools: "one that decodes again",
    sent: ({ whole }) => `${whole}%23x`,
  },
];

const characters: readonly NearMiss[] = [
  {
    requirement: "REDIR-21",
    slug: "leading-space",
    fools: "one that trims",
    sent: ({ whole }) => ` ${whole}`,
  },
  {
    requirement: "REDIR-21",
    slug: "trailing-space",
    fools: "one that trims",
    sent: ({ whole }) => `${whole} `,
  },
  {
    requirement: "REDIR-21",
    slug: "trailing-tab",
    fools: "one that trims",
    sent: ({ whole }) => `${whole}\t`,
  },
  {
    requirement: "REDIR-21",
    slug: "trailing-line-feed",
    fools: "one that trims, or a pattern whose $ takes a line end",
    sent: ({ whole }) => `${whole}\n`,
  },
  {
    requirement: "REDIR-21",
    slug: "header-injection",
    fools: "one by prefix, written into Location",
    sent: ({ whole }) => `${whole}\r\nLocation: x`,
  },
  {
    requirement: "REDIR-21",
    slug: "trailing-nul",
    fools: "one of C strings",
    sent: ({ whole }) => `${whole}\0`,
  },
  {
    requirement: "REDIR-21",
    slug: "backslashes",
    fools: "one after a browser's parsing",
    sent: ({ whole }) => whole.replaceAll("/", "\\"),
  },
  {
    requirement: "REDIR-21",
    slug: "one-slash",
    fools: "one after a browser's parsing",
    sent: ({ whole }) => whole.replace("//", "/"),
  },
  {
    requirement: "REDIR-21",
    slug: "no-slash",
    fools: "one after a browser's parsing",
    sent: ({ whole }) => whole.replace("//", ""),
  },
  {
    requirement: "REDIR-28",
    slug: "path-alone",
    fools: "one that resolves references",
    sent: ({ path }) => path,
  },
  {
    requirement: "REDIR-28",
    slug: "scheme-relative",
    fools: "one that resolves references",
    sent: ({ host, path }) => `//${host}${path}`,
  },
  { requirement: "REDIR-28", slug: "javascript", fools: "none at all", sent: () => "javascript:alert(1)" },
  { requirement: "REDIR-28", slug: "data", fools: "none at all", sent: () => "data:text/html,x" },
  { requirement: "REDIR-28", slug: "about", fools: "none at all", sent: () => "about:blank" },
  { requirement: "REDIR-28", slug: "wildcard", fools: "one with wildcards", sent: () => "*" },
  { requirement: "REDIR-28", slug: "null", fools: "one that writes a missing value out", sent: () => "null" },
  {
    requirement: "REDIR-23",
    slug: "list",
    fools: "one that splits at commas",
    sent: ({ whole }) => `${whole},https://evil.test/cb`,
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

const loopbackNames: readonly NearMiss[] = [
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

export const nearMisses: readonly NearMiss[] = [
  ...paths,
  ...origins,
  ...queriesAndFragments,
  ...characters,
  ...loopbackNames,
];
