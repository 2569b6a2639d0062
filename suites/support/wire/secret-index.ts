import { patternOf, plainCharacter } from "./secret-spellings.ts";

/** Something to be looked for in texts. */
export interface Sought<Owner> {
  readonly owner: Owner;
  readonly text: string;
  /** The match is widened over up to so many base64 characters before it, and three behind it. */
  readonly widenBy?: number;
}

/** Where a text holds something that was sought, from `start` to before `end`. */
export interface Found<Owner> {
  readonly start: number;
  readonly end: number;
  readonly owner: Owner;
  readonly isWidened: boolean;
}

/** Looks for thousands of texts at once, in time linear in the length of the searched text. */
export interface SecretIndex<Owner> {
  add(sought: Sought<Owner>): void;
  findIn(text: string): Found<Owner>[];
}

interface Entry<Owner> extends Sought<Owner> {
  /** Where the anchor ends within the text. */
  readonly anchorEnd: number;
  readonly anchor: string;
  /** No encoding changes the text. */
  readonly isPlain: boolean;
  pattern?: RegExp;
}

/** A text without an anchor. */
interface Loose<Owner> extends Sought<Owner> {
  /** Stands in whatever holds the text, in every encoding. */
  readonly run: string;
  pattern?: RegExp;
}

// Each of them is looked for by itself. A target that sends more, such as a counter in each cookie, means none as a secret.
const mostLoose = 500;

// Each text is found by an anchor: six of its plain characters in a row, five bits each.
const anchorLength = 6;
const hashMask = 0x3fffffff;
const filterBits = 20;
// More that share an anchor are not random values, and would make the search slow.
const mostWithOneAnchor = 8;
const wholePlain = /^[A-Za-z0-9]+$/u;
const base64Character = /[\w+/=-]/u;

const isPlainCode = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(plainCharacter.test(String.fromCharCode(code))),
);

export function createSecretIndex<Owner>(): SecretIndex<Owner> {
  const entries = new Map<number, Entry<Owner>[]>();
  // A bit for each anchor, so that the filter stays in the processor's cache.
  const filter = new Uint8Array(1 << (filterBits - 3));
  const loose: Loose<Owner>[] = [];

  function findLoose(text: string): Found<Owner>[] {
    const found = loose.flatMap((entry) => {
      if (!text.includes(entry.run)) return [];
      entry.pattern ??= new RegExp(loosely(entry.text), "gu");
      return Array.from(text.matchAll(entry.pattern), (match) => ({
        start: match.index,
        end: match.index + match[0].length,
        owner: entry.owner,
        isWidened: false,
      }));
    });
    return apart(found);
  }

  return {
    add(sought) {
      const anchors = anchorsOf(sought.text);
      const bucketOf = (hash: number): Entry<Owner>[] => entries.get(hash) ?? [];
      const best = anchors.toSorted((a, b) => bucketOf(a.hash).length - bucketOf(b.hash).length)[0];
      if (best === undefined || isShortWord(sought.text)) {
        if (loose.length < mostLoose) loose.push({ ...sought, run: longestRun(sought.text) });
        return;
      }
      const bucket = bucketOf(best.hash);
      if (bucket.length >= mostWithOneAnchor) return;
      const { end: anchorEnd } = best;
      const anchor = sought.text.slice(anchorEnd - anchorLength, anchorEnd);
      const isPlain = wholePlain.test(sought.text);
      entries.set(best.hash, [...bucket, { ...sought, anchorEnd, anchor, isPlain }]);
      const bit = folded(best.hash);
      filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    findIn(text) {
      const found = findLoose(text);
      let hash = 0;
      let inARow = 0;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (!isPlainCode[code]) {
          inARow = 0;
          continue;
        }
        hash = ((hash << 5) | (code & 31)) & hashMask;
        inARow += 1;
        if (inARow < anchorLength) continue;
        const bit = folded(hash);
        if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
        for (const entry of entries.get(hash) ?? []) {
          const match = matchAt(entry, text, at + 1);
          const last = found.at(-1);
          const isCovered = match && last && last.start <= match.start && match.end <= last.end;
          if (match !== undefined && !isCovered) found.push(match);
        }
      }
      return found;
    },
  };
}

function longestRun(text: string): string {
  const runs = text.match(/[A-Za-z0-9]+/gu) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

/** In their order, without those that overlap one before them. */
function apart<Owner>(found: readonly Found<Owner>[]): Found<Owner>[] {
  const kept: Found<Owner>[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= one.start) kept.push(one);
  }
  return kept;
}

function folded(hash: number): number {
  return (hash ^ (hash >>> (30 - filterBits))) & ((1 << filterBits) - 1);
}

interface Anchor {
  readonly hash: number;
  readonly end: number;
}

// The choice among so many is wide enough to find one that few other texts have.
const mostAnchors = 24;

/** From the end of the text: many kinds of token begin alike. */
function anchorsOf(text: string): Anchor[] {
  const anchors: Anchor[] = [];
  for (let end = text.length; end >= anchorLength && anchors.length < mostAnchors; end -= 1) {
    let hash = 0;
    let at = end - anchorLength;
    while (at < end && isPlainCode[text.charCodeAt(at)]) {
      hash = ((hash << 5) | (text.charCodeAt(at) & 31)) & hashMask;
      at += 1;
    }
    if (at === end) anchors.push({ hash, end });
  }
  return anchors;
}

/** @param anchorEnd - where the anchor of the entry ends in the searched text */
function matchAt<Owner>(entry: Entry<Owner>, text: string, anchorEnd: number): Found<Owner> | undefined {
  const { owner, widenBy } = entry;
  const start = anchorEnd - entry.anchorEnd;
  if (start >= 0 && text.startsWith(entry.text, start)) {
    const end = start + entry.text.length;
    if (widenBy === undefined) return { start, end, owner, isWidened: false };
    return { ...widened(text, start, end, widenBy), owner, isWidened: true };
  }
  // The hash is of five bits a character, so that other characters share it.
  if (entry.isPlain || !text.startsWith(entry.anchor, anchorEnd - anchorLength)) return undefined;
  entry.pattern ??= encodedPattern(entry.text, entry.anchorEnd);
  entry.pattern.lastIndex = anchorEnd;
  const match = entry.pattern.exec(text);
  if (match === null) return undefined;
  const before = match[1]?.length ?? 0;
  return {
    start: anchorEnd - before,
    end: anchorEnd + match[0].length,
    owner,
    isWidened: widenBy !== undefined,
  };
}

/** Matches what follows the anchor; its group, behind the place where it is tried, is what stands up to there. */
function encodedPattern(text: string, anchorEnd: number): RegExp {
  return new RegExp(`(?<=(${patternOf(text.slice(0, anchorEnd))}))${patternOf(text.slice(anchorEnd))}`, "uy");
}

function widened(text: string, from: number, to: number, before: number): { start: number; end: number } {
  let [start, end] = [from, to];
  while (start > 0 && from - start < before && base64Character.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && end - to < 3 && base64Character.test(text.charAt(end))) end += 1;
  return { start, end };
}

const longestWord = 7;
const fewestCharacters = 5;

/** Whether a text is too much like a word or a number to be a secret wherever it stands. */
export function isShortWord(text: string): boolean {
  return text.length < fewestCharacters || (text.length <= longestWord && /^(?:[A-Za-z]+|\d+)$/u.test(text));
}

/** A short word is a secret only where it stands alone; anything else wherever it stands. */
function loosely(text: string): string {
  const pattern = patternOf(text);
  return isShortWord(text)
    ? String.raw`(?<=^|[^A-Za-z0-9]|%[0-9A-Fa-f]{2}|\\[nrtbf]|\\u[0-9A-Fa-f]{4})(?:${pattern})(?![A-Za-z0-9])`
    : pattern;
}
