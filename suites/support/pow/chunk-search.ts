import { holds, type SearchCriterion } from "./criteria.ts";
import { leadingZeroBits } from "./leading-zero-bits.ts";
import { recipeOverrides, type Recipe } from "./recipes.ts";
import { powDigestSync } from "./scrypt-digest.ts";

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
  /** Nonces. */
  tries: number;
  /** scrypt evaluations: several a nonce when several recipes are compared. */
  digests: number;
  busyMs: number;
}

/** Tries the nonces of the chunk in order, up to the first that satisfies the criterion. Blocks its thread. */
export function searchChunk(chunk: Chunk): ChunkResult {
  const { jti, saltHexText, from, count, prefix, suffix, accept, recipe } = chunk;
  const startedMs = performance.now();
  let digests = 0;
  for (let offset = 0; offset < count; offset++) {
    const nonce = `${prefix}${from + BigInt(offset)}${suffix}`;
    const known = new Map<Recipe, Uint8Array>();
    const digestOf = (name: Recipe): Uint8Array => {
      const digest = known.get(name) ?? compute(name, { jti, nonce, saltHexText });
      known.set(name, digest);
      return digest;
    };
    const accepted = holds(accept, digestOf);
    const digest = accepted ? digestOf(recipe) : null;
    digests += known.size;
    if (digest !== null) {
      const hit = { nonce, powHex: Buffer.from(digest).toString("hex"), bits: leadingZeroBits(digest) };
      return { hit, tries: offset + 1, digests, busyMs: performance.now() - startedMs };
    }
  }
  return { hit: null, tries: count, digests, busyMs: performance.now() - startedMs };
}

function compute(recipe: Recipe, input: { jti: string; nonce: string; saltHexText: string }): Uint8Array {
  return powDigestSync(input, recipeOverrides(recipe, input));
}
