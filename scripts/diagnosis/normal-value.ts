/**
 * What a check observed without what differs from run to run and from target to target: addresses, identifiers, tokens,
 * times and counts. Two targets with the same defect come to the same or nearly the same words.
 */
export function normalValue(observed: string): string {
  return replacements
    .reduce((text, [pattern, word]) => text.replace(pattern, word), observed)
    .replaceAll(/\s+/gu, " ")
    .trim()
    .slice(0, longest);
}

const longest = 240;

const replacements: readonly (readonly [RegExp, string])[] = [
  // Masked secrets: `<access_token 1a2b3c4d, 43 characters>`.
  [/<[a-z_ -]+ [0-9a-f]{8}, \d+ characters[^>]*>/gu, "TOKEN"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?/gu, "TIME"],
  [/urn:service:agent:\S+?(?=["'\s,\]})]|$)/gu, "URN"],
  [/\bhttps?:\/\/[^\s"',\])}]+/gu, "URL"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/giu, "UUID"],
  // Long words with a digit, or longer than any name, are tokens and identifiers.
  [/(?<![\w-])(?=[\w.~-]*\d)[\w.~-]{12,}/gu, "TOKEN"],
  [/(?<![\w-])[\w.~-]{40,}/gu, "TOKEN"],
  [/\bexchange \d+/gu, "exchange N"],
  [/\b\d+ of (?:\d+|them)\b/gu, "N of N"],
  // Numbers, but not statuses, and not small ones, which tell one defect from another.
  [/(?<![\w.])-?\d+\.\d+(?![\w.])/gu, "N"],
  [/(?<!RFC )(?<![\w.])-?\d{4,}(?!\w)/gu, "N"],
];

/** The words of a normalised value, to compare two of them by. */
export function wordsOf(value: string): ReadonlySet<string> {
  return new Set(value.toLowerCase().match(/[\p{L}\p{N}_.:+-]+/gu) ?? []);
}
