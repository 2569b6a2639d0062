/** Something about the way a digest is written that differs from the document's lower-case hexadecimal text. */
export interface WritingMistake {
  id: "spaces" | "0x-prefix" | "upper-case-hex" | "odd-digits" | "base64";
  says: string;
}

export interface WrittenDigest {
  /** Null when no known way of writing bytes gives this text. */
  bytes: Uint8Array | null;
  mistakes: readonly WritingMistake[];
}

/** Reads the text of a digest as leniently as can be, and says what had to be forgiven. */
export function readWrittenDigest(text: string): WrittenDigest {
  const mistakes: WritingMistake[] = [];
  let rest = text;
  if (/\s/u.test(rest)) {
    mistakes.push({ id: "spaces", says: "powHex has white space" });
    rest = rest.replaceAll(/\s/gu, "");
  }
  if (/^0x/iu.test(rest)) {
    mistakes.push({ id: "0x-prefix", says: "powHex begins with 0x; it has digits alone" });
    rest = rest.slice(2);
  }
  if (/^[0-9a-f]+$/iu.test(rest)) {
    if (/[A-F]/u.test(rest)) {
      mistakes.push({ id: "upper-case-hex", says: "powHex has upper-case digits; they are lower case" });
    }
    if (rest.length % 2 === 1) {
      mistakes.push({
        id: "odd-digits",
        says: "powHex has an odd number of digits: one is lost or added, as when a byte is written without its zero",
      });
    }
    return { bytes: Uint8Array.from(Buffer.from(rest, "hex")), mistakes };
  }
  if (/^[0-9a-z+/_-]{40,}={0,2}$/iu.test(rest)) {
    mistakes.push({ id: "base64", says: "powHex is base64; it is hexadecimal" });
    return { bytes: Uint8Array.from(Buffer.from(rest, "base64")), mistakes };
  }
  return { bytes: null, mistakes };
}

/** How the bytes that were given relate to a 64-byte digest. */
export type Likeness = "same" | "shorter" | "longer" | "reversed";

/**
 * RFC 7914 §6 ends scrypt in PBKDF2 with one iteration, whose blocks do not depend on the length: output of another length
 * begins alike (all of the shorter one).
 *
 * @returns null when they are of different origin; fewer than 8 bytes are too few to tell
 */
export function likenessOf(given: Uint8Array, digest: Uint8Array): Likeness | null {
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
