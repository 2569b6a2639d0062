import { redirectUris } from "../support/material/clients.ts";
import { type NearMiss, rebuilt } from "./near-miss.ts";

/** The path less its last segment: `/oauth` of `/oauth/cb`. */
const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The character as an escape that decodes to it. */
const escaped = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;

/** Paths that a prefix, a normalisation or a second decoding would take for the registered one. */
export const pathNearMisses: readonly NearMiss[] = [
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
