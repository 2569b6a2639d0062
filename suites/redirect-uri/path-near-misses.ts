import { redirectUris } from "../support/material/registrations.ts";
import { changed, extended, type NearMiss } from "./near-miss.ts";

/** The path without its last segment: `/oauth` of `/oauth/cb`. */
const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The character as an escape that decodes to it. */
const escaped = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;

// What a comparison by prefix accepts.
const longer: readonly NearMiss[] = [
  extended("REDIR-03", "segment-added", "/x"),
  extended("REDIR-03", "climbing-out", "/../evil"),
  extended("REDIR-03", "letter-added", "x"),
  extended("REDIR-03", "suffix-added", ".evil"),
  extended("REDIR-03", "encoded-slash-added", "%2Fx"),
];

// What a comparison by the reverse prefix, or by origin, accepts.
const shorter: readonly NearMiss[] = [
  {
    requirement: "REDIR-04",
    slug: "letter-dropped",
    words: "without its last character",
    sent: ({ whole }) => whole.slice(0, -1),
  },
  changed("REDIR-04", "segment-dropped", "without the last segment of its path", ({ path }) => ({
    path: `${parent(path)}/`,
  })),
  changed("REDIR-04", "parent", "without the last slash of its path and what follows", ({ path }) => ({
    path: parent(path),
  })),
  changed("REDIR-04", "root", "with the path `/`", () => ({ path: "/" })),
  changed("REDIR-04", "origin", "without its path", () => ({ path: "" })),
  changed("REDIR-05", "other-path", "with another path at the registered origin", () => ({
    path: "/attacker",
  })),
];

// What a comparison that ignores a trailing slash, or letter case, accepts.
const respelt: readonly NearMiss[] = [
  extended("REDIR-06", "slash-added", "/", "with a trailing slash added"),
  {
    requirement: "REDIR-06",
    slug: "slash-dropped",
    words: "with its trailing slash removed",
    sent: ({ whole }) => whole.slice(0, -1),
    client: "spellings",
    registered: redirectUris.withTrailingSlash,
  },
  changed(
    "REDIR-07",
    "first-segment",
    "with all but the last segment of its path in upper case",
    ({ path }) => ({
      path: parent(path).toUpperCase() + path.slice(parent(path).length),
    }),
  ),
  changed("REDIR-07", "last-segment", "with the last segment of its path in upper case", ({ path }) => ({
    path: `${parent(path)}/${lastSegment(path).toUpperCase()}`,
  })),
];

// What a comparison of normalised paths accepts, or one by prefix before they are normalised.
const dotSegments: readonly NearMiss[] = [
  changed("REDIR-17", "dot-segment", "with a `.` segment in its path", ({ path }) => ({
    path: `${parent(path)}/./${lastSegment(path)}`,
  })),
  changed("REDIR-17", "back-and-forth", "with the segments `x` and `..` in its path", ({ path }) => ({
    path: `${parent(path)}/x/../${lastSegment(path)}`,
  })),
  extended("REDIR-17", "climbing-twice", "/../../evil"),
  extended("REDIR-17", "encoded-slash", "/..%2Fevil"),
  extended("REDIR-17", "encoded-dots", "/%2e%2e%2Fevil"),
  extended("REDIR-17", "encoded-dots-twice", "/%252e%252e%252Fevil"),
  extended("REDIR-17", "path-parameter", ";/../../evil"),
  changed("REDIR-17", "encoded-dot-segment", "with a `%2e` segment in its path", ({ path }) => ({
    path: `${parent(path)}/%2e/${lastSegment(path)}`,
  })),
];

// What a comparison accepts that decodes once more, or normalises escapes.
const escapes: readonly NearMiss[] = [
  changed("REDIR-18", "letter-encoded", "with the last letter of its path percent-encoded", ({ path }) => ({
    path: path.slice(0, -1) + escaped(path.slice(-1)),
  })),
  changed(
    "REDIR-18",
    "first-letter-encoded",
    "with the first letter of its last segment percent-encoded",
    ({ path }) => ({
      path: `${parent(path)}/${escaped(lastSegment(path).slice(0, 1))}${lastSegment(path).slice(1)}`,
    }),
  ),
  changed("REDIR-18", "slash-encoded", "with the last slash of its path percent-encoded", ({ path }) => ({
    path: `${parent(path)}%2F${lastSegment(path)}`,
  })),
  extended("REDIR-18", "encoded-space-added", "%20"),
  {
    requirement: "REDIR-18",
    slug: "whole-encoded",
    words: "that is percent-encoded as a whole",
    sent: ({ whole }) => encodeURIComponent(whole),
  },
  {
    requirement: "REDIR-18",
    slug: "escape-in-lower-case",
    words: "with an escape of its path in lower case",
    sent: ({ whole }) => whole.replace("%C3%A9", "%c3%a9"),
    client: "spellings",
    registered: redirectUris.percentEncoded,
  },
];

// What a comparison accepts that cuts path parameters or merges slashes.
const emptySegments: readonly NearMiss[] = [
  extended("REDIR-27", "path-parameter", ";x"),
  changed("REDIR-27", "empty-segment", "with an empty segment before the last of its path", ({ path }) => ({
    path: `${parent(path)}//${lastSegment(path)}`,
  })),
  changed(
    "REDIR-27",
    "empty-first-segment",
    "with an empty segment at the start of its path",
    ({ path }) => ({
      path: `/${path}`,
    }),
  ),
];

function ofLater({ requirement, slug, words, sent }: NearMiss): NearMiss {
  return {
    requirement,
    slug: `later-${slug}`,
    words: `that is the second of four, ${words}`,
    sent,
    client: "spellings",
    registered: redirectUris.punycode,
  };
}

// What a comparison accepts that is exact for the first of the registered ones alone.
const later: readonly NearMiss[] = [
  extended("REDIR-13", "query-added", "?x=1"),
  extended("REDIR-03", "segment-added", "/x"),
  extended("REDIR-06", "slash-added", "/", "with a trailing slash added"),
  changed("REDIR-05", "other-path", "with another path", () => ({ path: "/attacker" })),
  changed("REDIR-07", "upper-case", "with its path in upper case", ({ path }) => ({
    path: path.toUpperCase(),
  })),
].map(ofLater);

/** Paths that a prefix, a normalisation or a second decoding would take for the registered one. */
export const pathNearMisses: readonly NearMiss[] = [
  ...longer,
  ...shorter,
  ...respelt,
  ...dotSegments,
  ...escapes,
  ...emptySegments,
  ...later,
];
