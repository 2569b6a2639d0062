import { BlockedError } from "../verdict.ts";

/**
 * The text with upper and lower case of every letter swapped.
 *
 * @param what - plural, such as "authorization codes"
 * @throws {BlockedError} when the text has no letters
 */
export function inOtherCase(text: string, what: string): string {
  const changed = text.replace(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (changed === text) throw new BlockedError(`needs ${what} with letters; the target's have none`);
  return changed;
}
