import { digestToDecide, holds, type SearchCriterion } from "./criteria.ts";
import type { DigestEngine } from "./kernel/digest-engine.ts";
import { leadingZeroBits } from "./leading-zero-bits.ts";
import { recipeOverrides, type Recipe } from "./recipes.ts";
import { documentInput } from "./scrypt-digest.ts";

/** A run of nonces to try in order. Plain data, because it crosses threads. */
export interface Chunk {
  jti: string;
  saltHexText: string;
  /** First number to try. */
  from: bigint;
  count: number;
  /** Text around the decimal number: the nonce is all three. */
  prefix: string;
  suffix: string;
  accept: SearchCriterion;
  /** Of which digest the hit carries the hexadecimal text. */
  recipe: Recipe;
}

export interface ChunkHit {
  nonce: string;
  powHex: string;
  /** Leading zero bits, as the document counts, of that digest. */
  bits: number;
}

export interface ChunkResult {
  hit: ChunkHit | null;
  /** Nonces decided, up to the hit. */
  tries: number;
  /** scrypt evaluations that decided them: several a nonce when several recipes are compared. */
  digests: number;
  busyMs: number;
}

/** A nonce with the digests of it that are known so far. */
interface Candidate {
  nonce: string;
  known: Map<Recipe, Uint8Array>;
}

/**
 * Tries the nonces of the chunk, as many at a time as the engine takes, up to the first that satisfies the criterion.
 * Blocks its thread.
 *
 * @param isStopped - asked before each batch: whether nobody waits for the result any more
 */
export function searchChunk(
  chunk: Chunk,
  engine: DigestEngine,
  isStopped: () => boolean = () => false,
): ChunkResult {
  const startedMs = performance.now();
  // In the order of their numbers. What stands first is decided first; those after it fill the lanes.
  const open: Candidate[] = [];
  let opened = 0;
  let tries = 0;
  let digests = 0;
  const result = (hit: ChunkHit | null): ChunkResult => ({
    hit,
    tries,
    digests,
    busyMs: performance.now() - startedMs,
  });

  while (tries < chunk.count && !isStopped()) {
    while (open.length < engine.lanes && opened < chunk.count) {
      open.push({ nonce: `${chunk.prefix}${chunk.from + BigInt(opened)}${chunk.suffix}`, known: new Map() });
      opened += 1;
    }
    computeNext(chunk, open, engine);
    for (let first = open[0]; first !== undefined && nextDigest(chunk, first) === null; first = open[0]) {
      open.shift();
      tries += 1;
      digests += first.known.size;
      const hit = hitOf(chunk, first);
      if (hit !== null) return result(hit);
    }
  }
  return result(null);
}

/** One digest more for each candidate that is not decided. */
function computeNext(chunk: Chunk, open: readonly Candidate[], engine: DigestEngine): void {
  const wanted = open.flatMap((candidate) => {
    const recipe = nextDigest(chunk, candidate);
    if (recipe === null) return [];
    const input = { jti: chunk.jti, nonce: candidate.nonce, saltHexText: chunk.saltHexText };
    return [{ candidate, recipe, input: { ...documentInput(input), ...recipeOverrides(recipe, input) } }];
  });
  const digests = engine.digests(wanted.map(({ input }) => input));
  for (const [index, { candidate, recipe }] of wanted.entries()) {
    const digest = digests[index];
    if (digest !== undefined) candidate.known.set(recipe, digest);
  }
}

/** @returns null when the nonce is decided, and a hit has the digest that it carries */
function nextDigest({ accept, recipe }: Chunk, { known }: Candidate): Recipe | null {
  const toDecide = digestToDecide(accept, known);
  if (toDecide !== null) return toDecide;
  return isAccepted(accept, known) && !known.has(recipe) ? recipe : null;
}

function hitOf({ accept, recipe }: Chunk, { nonce, known }: Candidate): ChunkHit | null {
  const digest = known.get(recipe);
  if (digest === undefined || !isAccepted(accept, known)) return null;
  return { nonce, powHex: Buffer.from(digest).toString("hex"), bits: leadingZeroBits(digest) };
}

/** A digest that is not known was not needed: a condition before it failed. */
function isAccepted(accept: SearchCriterion, known: ReadonlyMap<Recipe, Uint8Array>): boolean {
  const conditions = "all" in accept ? accept.all : [accept];
  return conditions.every((condition) => {
    const digest = known.get(condition.recipe ?? "document");
    return digest !== undefined && holds(condition, () => digest);
  });
}
