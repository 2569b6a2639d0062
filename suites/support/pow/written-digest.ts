/** A difference from the document's lower-case hexadecimal text. */
export interface WritingMistake {
  id: "spaces" | "0x-prefix" | "upper-case-hex" | "odd-digits" | "base64";
  description: string;
}

export interface WrittenDigest {
  /** Null when the text is in no known encoding. */
  bytes: Uint8Array | null;
  mistakes: readonly WritingMistake[];
}

/** Decodes the text of a digest leniently, and says what was wrong with it. */
export function readWrittenDigest(text: string): WrittenDigest {
  const mistakes: WritingMistake[] = [];
  let rest = text;
  if (/\s/u.test(rest)) {
    mistakes.push({ id: "spaces", description: "powHex contains white space" });
    rest = rest.replaceAll(/\s/gu, "");
  }
  if (/^0x/iu.test(rest)) {
    mistakes.push({ id: "0x-prefix", description: "powHex starts with 0x; omit it" });
    rest = rest.slice(2);
  }
  if (/^[0-9a-f]+$/iu.test(rest)) {
    if (/[A-F]/u.test(rest)) {
      mistakes.push({
        id: "upper-case-hex",
        description: "powHex has upper-case digits; use lower case",
      });
    }
    if (rest.length % 2 === 1) {
      mistakes.push({
        id: "odd-digits",
        description:
          "powHex has an odd number of digits: a byte may have been written without its leading zero",
      });
    }
    return { bytes: Uint8Array.from(Buffer.from(rest, "hex")), mistakes };
  }
  if (/^[0-9a-z+/_-]{40,}={0,2}$/iu.test(rest)) {
    mistakes.push({ id: "base64", description: "powHex is base64; use hexadecimal" });
    return { bytes: Uint8Array.from(Buffer.from(rest, "base64")), mistakes };
  }
  return { bytes: null, mistakes };
}

/** How the given bytes relate to a digest; `shorter` and `longer` have a common prefix with it. */
export type DigestMatch = "same" | "shorter" | "longer" | "reversed";

/**
 * scrypt ends in PBKDF2 with one iteration (RFC 7914 §6), so a shorter output is a prefix of a longer one.
 *
 * @returns null when they are unrelated, or fewer than 8 bytes can be compared
 */
export function matchDigest(given: Uint8Array, digest: Uint8Array): DigestMatch | null {
  const common = Math.min(given.length, digest.length);
  if (common < 8) return null;
  if (areEqual(given.subarray(0, common), digest.subarray(0, common))) {
    if (given.length === digest.length) return "same";
    return given.length < digest.length ? "shorter" : "longer";
  }
  return areEqual(given, digest.toReversed()) ? "reversed" : null;
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
