const changing: readonly (readonly [RegExp, string])[] = [
  // Fingerprints of secrets: their digits are of one run.
  [/<([\w ]+) [0-9a-f]{8}, (\d+) characters?[^>]*>/gu, "<$1>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu, "<uuid>"],
  [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?/gu, "<time>"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT/gu, "<time>"],
  [/((?:127\.0\.0\.1|localhost)%3A)\d+/giu, "$1"],
  [/(https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/gu, "$1"],
  // Ids, codes and user names that were made for one run.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}(?![\w-])/gu, "<id>"],
  // Epoch seconds, and what was measured.
  [/\b\d{5,}\b/gu, "<number>"],
  [/\b\d+(\.\d+)? (?=m?s\b)/gu, "<duration> "],
];

/** Text with what differs from run to run replaced, such as ids, times and secrets: what is left tells two answers apart. */
export function stableText(text: string): string {
  return changing.reduce((stable, [pattern, replacement]) => stable.replaceAll(pattern, replacement), text);
}
