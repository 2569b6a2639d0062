/** Where a UUID has the digit of its version (RFC 9562 §4.2). */
export const versionAt = 14;

/** Other ways to write a UUID that its parsers know. `words` reads after "an `accountId`". */
export const uuidForms: readonly {
  readonly slug: string;
  readonly words: string;
  readonly spell: (accountId: string) => string;
}[] = [
  { slug: "braces", words: "in braces", spell: (id) => `{${id}}` },
  { slug: "parentheses", words: "in parentheses", spell: (id) => `(${id})` },
  { slug: "urn", words: "with the prefix `urn:uuid:`", spell: (id) => `urn:uuid:${id}` },
  { slug: "no-hyphens", words: "without hyphens", spell: (id) => id.replaceAll("-", "") },
  {
    slug: "moved-hyphens",
    words: "with its hyphens moved",
    spell: (id) => id.replaceAll("-", "").replace(/^(.{4})(.{4})(.{4})(.{8})/u, "$1-$2-$3-$4-"),
  },
];
