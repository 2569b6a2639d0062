import { isDeepStrictEqual } from "node:util";
import { BlockedError, NotApplicableError } from "../verdict.ts";
import type { JsonObject } from "../wire/exchange.ts";

/**
 * The first of these texts that nobody may read as the original, nor as anything else that is valid: the one flaw of a
 * request that is to be refused.
 *
 * @param candidates - in order of preference
 * @param what - plural, such as "authorization codes"
 * @param valid - what the target would rightly take in the place of the original
 * @throws {BlockedError} when each of them may be read so
 */
export function firstDistinct(
  original: string,
  candidates: readonly string[],
  what: string,
  valid: readonly string[] = [],
): string {
  const taken = [original, ...valid];
  const found = candidates.find((candidate) => !taken.some((other) => mayMeanTheSame(candidate, other)));
  if (found !== undefined) return found;
  throw new BlockedError(`needs ${what} that can be changed into something else; the target's cannot`);
}

/**
 * Whether some reading that the document leaves open takes both texts for one value: without the spaces around them, without
 * regard to letter case (C-79, C-80), as bytes in hexadecimal digits with or without hyphens, or as bytes in base64.
 */
export function mayMeanTheSame(one: string, other: string): boolean {
  if (one.trim().toLowerCase() === other.trim().toLowerCase()) return true;
  return decodings.some((decode) => {
    const [first, second] = [decode(one.trim()), decode(other.trim())];
    return first !== undefined && second !== undefined && first.equals(second);
  });
}

// Buffer.from ignores what is left over at the end, as lenient decoders do.
const decodings: readonly ((text: string) => Buffer | undefined)[] = [
  (text) => (isHexadecimal(text) ? Buffer.from(text.replaceAll("-", ""), "hex") : undefined),
  (text) => (/^[\w+/-]{8,}={0,2}$/u.test(text) ? Buffer.from(text, "base64") : undefined),
];

/** The text with a character appended. */
export function withCharacterAdded(text: string, what: string): string {
  // Four of them, since a decoder may drop what makes no whole byte.
  return firstDistinct(
    text,
    ["A", "AA", "AAAA"].map((more) => text + more),
    what,
  );
}

/** The text without its last character. */
export function withoutLastCharacter(text: string, what: string): string {
  return firstDistinct(
    text,
    [1, 2, 4].map((count) => text.slice(0, -count)),
    what,
  );
}

/** The text with one character changed to another of its alphabet, near the middle, where every decoder reads it. */
export function withCharacterChanged(text: string, what: string): string {
  const middle = Math.floor(text.length / 2);
  const places = Array.from({ length: text.length }, (_character, at) => at).toSorted(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
  return firstDistinct(
    text,
    places
      .filter((at) => /[0-9a-z]/iu.test(text.charAt(at)))
      .flatMap((at) =>
        ["0", "1", "2"]
          .filter((other) => other !== text.charAt(at))
          .map((other) => text.slice(0, at) + other + text.slice(at + 1)),
      ),
    what,
  );
}

/**
 * The text with one character changed to another of its kind, so that it keeps the form of the original: a digit to a digit, a
 * letter to one of the same case, each to what is also in hexadecimal, base32 and base58 text.
 */
export function withCharacterOfKindChanged(text: string, what: string): string {
  // Behind a prefix, and behind the version and variant of a UUID.
  const from = Math.floor((text.length * 2) / 3);
  const places = Array.from({ length: text.length - from }, (_character, at) => from + at);
  return firstDistinct(
    text,
    places.flatMap((at) =>
      sameKind(text.charAt(at)).map((other) => text.slice(0, at) + other + text.slice(at + 1)),
    ),
    what,
  );
}

function sameKind(character: string): readonly string[] {
  const kind = [
    { pattern: /[0-9]/u, others: ["2", "3"] },
    { pattern: /[a-z]/u, others: ["a", "b"] },
    { pattern: /[A-Z]/u, others: ["A", "B"] },
  ].find(({ pattern }) => pattern.test(character));
  return kind?.others.filter((other) => other !== character) ?? [];
}

/** Whether a text may be read as bytes: hexadecimal digits, with or without the hyphens of a UUID. */
export function isHexadecimal(text: string): boolean {
  return /^[0-9a-f-]{8,}$/iu.test(text);
}

/** The text with its last characters changed to others, where a comparison that reads only the beginning sees nothing. */
export function withEndChanged(text: string, what: string, count = 4): string {
  return firstDistinct(
    text,
    ["0", "1", "2"].map((other) => text.slice(0, -count) + other.repeat(count)),
    what,
  );
}

/** The text with its first characters changed to others, where a comparison that reads only the end sees nothing. */
export function withBeginningChanged(text: string, what: string, count: number): string {
  return firstDistinct(
    text,
    ["0", "1", "2"].map((other) => other.repeat(count) + text.slice(count)),
    what,
  );
}

/**
 * The text with upper and lower case of every letter swapped. What a target makes of it can only be observed (C-79).
 *
 * @param what - plural, such as "authorization codes"
 * @throws {NotApplicableError} when the text has no letters
 */
export function inOtherCase(text: string, what: string): string {
  const changed = text.replace(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (changed === text) throw new NotApplicableError(`the target's ${what} have no letters`);
  return changed;
}

/**
 * Claims that were changed.
 *
 * @returns the changed ones
 * @throws {NotApplicableError} when the change left them as they were, as where the claim to be replaced is missing
 */
export function requireChanged(claims: JsonObject, changed: JsonObject): JsonObject {
  // As JSON, where a member that is undefined is not a member.
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(changed)), JSON.parse(JSON.stringify(claims))))
    return changed;
  throw new NotApplicableError(
    `the claims of the target (${Object.keys(claims).join(", ")}) have none that the check could change`,
  );
}
