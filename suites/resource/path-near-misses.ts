import type { NearMiss } from "./near-miss.ts";

/** Another ending of the API's address where the resource has `/jmap`. */
function ending(requirement: string, slug: string, path: string): NearMiss {
  return {
    requirement,
    slug,
    words: `with \`${path}\` for \`/jmap\``,
    sent: (_jmap, { apiUrl }) => apiUrl + path,
  };
}

/** The resource with something added. */
function longer(requirement: string, slug: string, tail: string, words = `with \`${tail}\` added`): NearMiss {
  return {
    requirement,
    slug,
    words,
    sent: ({ whole }) => whole + tail,
  };
}

/** What follows the origin of the JMAP resource, a little off. */
export const pathNearMisses: readonly NearMiss[] = [
  longer("RES-06", "one-slash", "/", "with a trailing slash"),
  longer("RES-06", "two-slashes", "//", "with two trailing slashes"),
  ending("RES-10", "upper-case", "/JMAP"),
  ending("RES-10", "capital", "/Jmap"),
  longer("RES-10", "one-character-more", "2"),
  longer("RES-10", "path-below", "/x"),
  longer("RES-10", "path-repeated", "/jmap"),
  ending("RES-10", "one-character-less", "/jma"),
  {
    requirement: "RES-10",
    slug: "address-alone",
    words: "without its path",
    sent: (_jmap, { apiUrl }) => apiUrl,
  },
  ending("RES-10", "address-with-slash", "/"),
  ending("RES-11", "first-letter-escaped", "/%6Amap"),
  ending("RES-11", "letter-escaped", "/jm%61p"),
  ending("RES-11", "slash-escaped", "%2Fjmap"),
  ending("RES-11", "space-escaped", "/jmap%20"),
  {
    requirement: "RES-11",
    slug: "encoded-twice",
    words: "percent-encoded once too often",
    sent: ({ whole }) => encodeURIComponent(whole),
  },
  ending("RES-12", "dot-segment", "/./jmap"),
  ending("RES-12", "there-and-back", "/x/../jmap"),
  ending("RES-12", "escaped-dots", "/x/%2E%2E/jmap"),
  longer("RES-12", "dot-behind", "/."),
  longer("RES-12", "two-dots-behind", "/.."),
  ending("RES-12", "empty-segment", "//jmap"),
  ending("RES-12", "backslash", "\\jmap"),
  longer("RES-12", "path-parameter", ";x"),
  longer("RES-13", "empty", "?"),
  longer("RES-13", "foreign-parameter", "?x=1"),
  longer("RES-13", "resource-parameter", "?resource=1"),
  longer("RES-14", "empty", "#"),
  longer("RES-14", "named", "#x"),
];
