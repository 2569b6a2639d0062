import { type NearMiss, otherPortSpelling, otherSpelling, rebuilt, thirdSpelling } from "./near-miss.ts";

function withUserinfo(slug: string, userinfo: string): NearMiss {
  return {
    requirement: "RES-15",
    slug,
    words: `with \`${userinfo}\` before its host`,
    sent: (jmap) => rebuilt(jmap, { host: userinfo + jmap.host }),
  };
}

/** Scheme, host, port and userinfo of the JMAP resource, each a little off. */
export const originNearMisses: readonly NearMiss[] = [
  {
    requirement: "RES-07",
    slug: "other-scheme",
    words: "with http for https, or the reverse,",
    sent: (jmap) => rebuilt(jmap, { scheme: jmap.scheme === "https" ? "http" : "https" }),
  },
  {
    requirement: "RES-08",
    slug: "upper-case-host",
    words: "with its host in upper case (an IPv4 address: partly in hexadecimal)",
    sent: (jmap) => rebuilt(jmap, { host: otherSpelling(jmap.host) }),
  },
  {
    requirement: "RES-08",
    slug: "mixed-case-host",
    words: "with its host in mixed case, or its IPv4 address as one number,",
    sent: (jmap) => rebuilt(jmap, { host: thirdSpelling(jmap.host) }),
  },
  {
    requirement: "RES-08",
    slug: "upper-case-scheme",
    words: "with its scheme in upper case",
    sent: (jmap) => rebuilt(jmap, { scheme: jmap.scheme.toUpperCase() }),
  },
  {
    requirement: "RES-09",
    slug: "default-port",
    words: "with its default port added, or its own port left out,",
    sent: (jmap) => rebuilt(jmap, { port: otherPortSpelling(jmap) }),
  },
  {
    requirement: "RES-09",
    slug: "other-port",
    words: "with another port",
    sent: (jmap) => rebuilt(jmap, { port: jmap.port === ":444" ? ":445" : ":444" }),
  },
  {
    requirement: "RES-09",
    slug: "zero-before-port",
    words: "with a zero before its port",
    sent: (jmap) => rebuilt(jmap, { port: `:0${(jmap.port || otherPortSpelling(jmap)).slice(1)}` }),
  },
  {
    requirement: "RES-09",
    slug: "empty-port",
    words: "with a colon and no port",
    sent: (jmap) => rebuilt(jmap, { port: ":" }),
  },
  withUserinfo("user", "u@"),
  withUserinfo("user-and-password", "u:p@"),
  withUserinfo("empty", "@"),
  {
    requirement: "RES-15",
    slug: "host-as-user",
    words: "as the userinfo of another host",
    sent: (jmap) => rebuilt(jmap, { host: `${jmap.host}@evil.test`, port: "" }),
  },
  {
    requirement: "RES-16",
    slug: "trailing-dot",
    words: "with a trailing dot added to its host",
    sent: (jmap) => rebuilt(jmap, { host: `${jmap.host}.` }),
  },
  {
    requirement: "RES-16",
    slug: "www",
    words: "with `www.` before its host",
    sent: (jmap) => rebuilt(jmap, { host: `www.${jmap.host}` }),
  },
  {
    requirement: "RES-16",
    slug: "longer-host",
    words: "with `.evil.test` added to its host",
    sent: (jmap) => rebuilt(jmap, { host: `${jmap.host}.evil.test` }),
  },
  {
    requirement: "RES-16",
    slug: "loopback-name",
    words: "with `localhost` for its host, or `127.0.0.1` for `localhost`",
    // On a target of this machine both names reach the same server.
    sent: (jmap) => rebuilt(jmap, { host: jmap.host === "localhost" ? "127.0.0.1" : "localhost" }),
  },
  {
    requirement: "RES-16",
    slug: "fullwidth-host",
    words: "with the first character of its host in its full-width form",
    sent: (jmap) =>
      rebuilt(jmap, {
        host: jmap.host.replace(/^[a-z0-9]/u, (first) =>
          String.fromCodePoint((first.codePointAt(0) ?? 0) + 0xfee0),
        ),
      }),
  },
  {
    requirement: "RES-16",
    slug: "foreign-host",
    words: "at a foreign host",
    sent: (jmap) => rebuilt(jmap, { host: "evil.test", port: "" }),
  },
  {
    requirement: "RES-16",
    slug: "jmap-at-auth",
    words: "at the authorization server's address",
    sent: (_jmap, { authUrl }) => `${authUrl}/jmap`,
  },
  {
    requirement: "RES-16",
    slug: "jmap-at-mcp",
    words: "at the MCP server's address",
    sent: (_jmap, { mcpUrl }) => `${mcpUrl}/jmap`,
  },
  {
    requirement: "RES-16",
    slug: "mcp-at-api",
    words: "with the path of the MCP resource",
    sent: (_jmap, { apiUrl }) => `${apiUrl}/mcp`,
  },
];
