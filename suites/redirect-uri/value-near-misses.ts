import { redirectUris } from "../support/material/clients.ts";
import type { NearMiss, UriPieces } from "./near-miss.ts";

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

/** Queries, fragments, stray characters, and values that are no absolute URI. */
export const valueNearMisses: readonly NearMiss[] = [...queriesAndFragments, ...characters];
