import { redirectUris } from "../support/material/registrations.ts";
import { extended, type NearMiss } from "./near-miss.ts";

function otherQuery(slug: string, query: string, words: string): NearMiss {
  return {
    requirement: "REDIR-14",
    slug,
    words,
    sent: ({ whole }) => whole.replace(/\?.*$/u, query),
    registered: redirectUris.withQuery,
  };
}

function rewritten(requirement: string, slug: string, words: string, sent: NearMiss["sent"]): NearMiss {
  return { requirement, slug, words, sent };
}

// What a comparison accepts that leaves the query or the fragment out, or parses it.
const queriesAndFragments: readonly NearMiss[] = [
  extended("REDIR-13", "query-added", "?x=1"),
  extended("REDIR-13", "empty-query-added", "?"),
  extended("REDIR-13", "code-added", "?code=attacker"),
  extended("REDIR-13", "parameter-added", "&x=1"),
  otherQuery("query-dropped", "", "without its query"),
  otherQuery("value-changed", "?tenant=8", "with another value in its query"),
  otherQuery("parameter-added", "?tenant=7&x=1", "with a parameter added to its query"),
  otherQuery("name-in-other-case", "?Tenant=7", "with a parameter name of its query in another case"),
  otherQuery("value-encoded", "?tenant=%37", "with a value of its query percent-encoded"),
  extended("REDIR-15", "empty-fragment", "#"),
  extended("REDIR-15", "fragment", "#x"),
  extended("REDIR-15", "encoded-fragment", "%23x"),
];

// What a comparison accepts that trims, stops at a NUL, takes a pattern's line end, or parses as a browser does.
const characters: readonly NearMiss[] = [
  rewritten("REDIR-21", "leading-space", "with a leading space", ({ whole }) => ` ${whole}`),
  extended("REDIR-21", "trailing-space", " ", "with a trailing space"),
  extended("REDIR-21", "trailing-tab", "\t", "with a trailing tab"),
  extended("REDIR-21", "trailing-line-feed", "\n", "with a trailing line feed"),
  extended("REDIR-21", "header-injection", "\r\nLocation: x", "with a second `Location` after a line break"),
  extended("REDIR-21", "trailing-nul", "\0", "with a trailing NUL"),
  rewritten("REDIR-21", "backslashes", "with backslashes for its slashes", ({ whole }) =>
    whole.replaceAll("/", "\\"),
  ),
  rewritten("REDIR-21", "one-slash", "with one slash after its scheme", ({ whole }) =>
    whole.replace("//", "/"),
  ),
  rewritten("REDIR-21", "no-slash", "with no slash after its scheme", ({ whole }) => whole.replace("//", "")),
];

// What a comparison accepts that resolves references, takes wildcards or splits lists, and what none at all accepts.
const noAbsoluteUrls: readonly NearMiss[] = [
  rewritten("REDIR-28", "path-alone", "that is a path alone", ({ path }) => path),
  rewritten("REDIR-28", "scheme-relative", "without its scheme", ({ host, path }) => `//${host}${path}`),
  rewritten("REDIR-28", "javascript", "with the scheme `javascript`", () => "javascript:alert(1)"),
  rewritten("REDIR-28", "data", "with the scheme `data`", () => "data:text/html,x"),
  rewritten("REDIR-28", "about", "with the scheme `about`", () => "about:blank"),
  rewritten("REDIR-28", "wildcard", "that is `*`", () => "*"),
  rewritten("REDIR-28", "null", "that is `null`", () => "null"),
  rewritten(
    "REDIR-23",
    "list",
    "with a foreign address after a comma",
    ({ whole }) => `${whole},https://evil.test/cb`,
  ),
];

/** Queries, fragments, stray characters, and values that are not absolute URLs. */
export const valueNearMisses: readonly NearMiss[] = [
  ...queriesAndFragments,
  ...characters,
  ...noAbsoluteUrls,
];
