/** The attributes of a `WWW-Authenticate: Bearer` value, and what RFC 6750 §3 does not allow about them. */
export interface ChallengeAttributes {
  /** The first value of each attribute, names in lower case. */
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

const attribute =
  /\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9a-z-]+))\s*(?:,|$)/giuy;

/** RFC 6750 §3: what the values of these attributes may consist of. */
const allowed: Readonly<Record<string, RegExp>> = {
  scope: /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/u,
  error: /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/u,
  error_description: /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/u,
  error_uri: /^[\x21\x23-\x5B\x5D-\x7E]+$/u,
};

/** @param value - of one header line, with the scheme in front */
export function challengeAttributes(value: string): ChallengeAttributes {
  const text = value.replace(/^bearer\s*/iu, "");
  const found = [...text.matchAll(attribute)].map(([all, name = "", quoted, token]) => ({
    length: all.length,
    name: name.toLowerCase(),
    value: quoted?.replaceAll(/\\(.)/gu, "$1") ?? token ?? "",
  }));
  const readLength = found.reduce((sum, { length }) => sum + length, 0);
  const names = found.map(({ name }) => name);
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return {
    values: Object.fromEntries(found.toReversed().map((entry) => [entry.name, entry.value])),
    problems: [
      ...(readLength < text.length ? [`not a list of attributes from character ${readLength} on`] : []),
      ...[...repeated].map((name) => `${name} occurs more than once`),
      ...found.flatMap((entry) =>
        (allowed[entry.name]?.test(entry.value) ?? true)
          ? []
          : [`${entry.name} has a character that is not allowed`],
      ),
    ],
  };
}
