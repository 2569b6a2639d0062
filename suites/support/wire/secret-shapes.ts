/** A stretch of text that is a secret by its form alone. */
export interface ShapedSecret {
  readonly kind: "JWT" | "private_key";
  readonly start: number;
  readonly end: number;
}

// One run of the characters of a compact JWS or JWE. Cutting the run by hand keeps the search linear, as a pattern for
// the whole form would not.
const run = /[\w.-]{16,}/gu;
const mostSegments = 5;
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{1,10000}/gu;

/** JWTs and private keys, known or not, also inside longer words. */
export function shapedSecrets(text: string): readonly ShapedSecret[] {
  const mayHoldJwt = text.includes("eyJ");
  if (!mayHoldJwt && !text.includes("PRIVATE KEY")) return [];
  const found: ShapedSecret[] = [];
  if (mayHoldJwt) {
    for (const { index, 0: characters } of text.matchAll(run)) found.push(...jwtsIn(characters, index));
  }
  if (text.includes("PRIVATE KEY")) {
    for (const { index, 0: pem } of text.matchAll(privateKey))
      found.push({ kind: "private_key", start: index, end: index + pem.length });
  }
  return found;
}

const shortestHeader = 8;

/** @param offset - where the characters begin in the searched text */
function jwtsIn(characters: string, offset: number): ShapedSecret[] {
  if (!characters.includes("eyJ")) return [];
  const found: ShapedSecret[] = [];
  const segments = characters.split(".");
  let start = offset;
  for (let at = 0; at < segments.length - 1; at += 1) {
    const segment = segments[at] ?? "";
    const begin = segment.indexOf("eyJ");
    const payload = segments[at + 1] ?? "";
    if (begin < 0 || segment.length - begin < shortestHeader || payload === "") {
      start += segment.length + 1;
      continue;
    }
    const parts = partsFrom(segments, at);
    const { length } = parts.join(".");
    found.push({ kind: "JWT", start: start + begin, end: start + length });
    start += length + 1;
    at += parts.length - 1;
  }
  return found;
}

/** The segments of one token: an unsigned one ends with an empty segment, and a full stop may follow any. */
function partsFrom(segments: readonly string[], at: number): string[] {
  const parts = segments.slice(at, at + mostSegments);
  const empty = parts.indexOf("");
  return empty < 0 ? parts : parts.slice(0, empty);
}
