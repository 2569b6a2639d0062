const encodedWord = /=\?utf-8\?([bq])\?([^?]*)\?=/giu;

/**
 * A header field as people read it, where it was left as it is in a message: RFC 2047 words in UTF-8, with no space between
 * those that follow each other (§6.2).
 */
export function withoutEncodedWords(text: string): string {
  const joined = text.replaceAll(/\?=\s+(?==\?)/gu, "?=");
  const bytes = joined.replaceAll(encodedWord, (_, encoding: string, encoded: string) =>
    encoding.toLowerCase() === "b"
      ? Buffer.from(encoded, "base64").toString("latin1")
      : encoded
          .replaceAll("_", " ")
          .replaceAll(/=([\da-f]{2})/giu, (__, hex: string) =>
            String.fromCodePoint(Number.parseInt(hex, 16)),
          ),
  );
  return joined === bytes ? text : Buffer.from(bytes, "latin1").toString("utf8");
}
