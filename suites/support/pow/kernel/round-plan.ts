/** One of the eight steps of a double round, on whole diagonals: `target ^= rotate(left + right, bits)`. */
export interface QuarterStep {
  target: number;
  left: number;
  right: number;
  bits: number;
}

/** By how many words diagonals 1, 2 and 3 are rotated to exchange rows and columns; diagonal 0 stays. */
export type WordRotations = readonly [number, number, number];

/** Every constant of the generated code, as data. Tests change one at a time and prove that a known answer catches it. */
export interface RoundPlan {
  columns: readonly QuarterStep[];
  rotationsAfterColumns: WordRotations;
  rows: readonly QuarterStep[];
  rotationsAfterRows: WordRotations;
  /** Half the number of rounds of Salsa20/8. */
  doubleRounds: number;
  /** Adds the input of Salsa20/8 to the result of its rounds. */
  feedsForward: boolean;
  /** XORs each block with the one before it. */
  chainsBlocks: boolean;
  /** Moves odd blocks to the second half of the row. */
  separatesOddBlocks: boolean;
  /** XORs the looked-up row into each row. */
  mixesLookup: boolean;
  /** Index of the word, in the diagonal order of the last block, that selects the row. */
  lookupWord: number;
  /** Each hash uses its own table, not that of the first hash. */
  separatesTables: boolean;
  /** Index `i` of the diagonal order holds word `wordStep * i`, modulo 16, of the block. An odd number. */
  wordStep: number;
}

/**
 * The constants of scrypt (RFC 7914 §3 to §5), for blocks in diagonal order: vector `d` is a diagonal of Salsa20's matrix,
 * so that one vector operation is a step of all four quarter-rounds.
 */
export const scryptPlan: RoundPlan = {
  columns: [
    { target: 1, left: 0, right: 3, bits: 7 },
    { target: 2, left: 1, right: 0, bits: 9 },
    { target: 3, left: 2, right: 1, bits: 13 },
    { target: 0, left: 3, right: 2, bits: 18 },
  ],
  rotationsAfterColumns: [3, 2, 1],
  rows: [
    { target: 3, left: 0, right: 1, bits: 7 },
    { target: 2, left: 3, right: 0, bits: 9 },
    { target: 1, left: 2, right: 3, bits: 13 },
    { target: 0, left: 1, right: 2, bits: 18 },
  ],
  rotationsAfterRows: [1, 2, 3],
  doubleRounds: 4,
  feedsForward: true,
  chainsBlocks: true,
  separatesOddBlocks: true,
  mixesLookup: true,
  lookupWord: 0,
  separatesTables: true,
  wordStep: 5,
};

const blockWords = 16;

/** The index, in natural order, of the 32-bit word at this index of a row in diagonal order. */
export function naturalWord(index: number, { wordStep }: RoundPlan): number {
  const inBlock = index % blockWords;
  return index - inBlock + ((wordStep * inBlock) % blockWords);
}
