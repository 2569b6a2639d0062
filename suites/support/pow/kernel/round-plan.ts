/** One of the eight steps of a double round, on whole diagonals: `target ^= rotate(left + right, bits)`. */
export interface QuarterStep {
  target: number;
  left: number;
  right: number;
  bits: number;
}

/** By how many words diagonals 1, 2 and 3 turn, so that rows and columns change places; diagonal 0 stays. */
export type Turns = readonly [number, number, number];

/**
 * What the generated code computes, as data: the one place where a rotation, a turn or an index stands. Tests change single
 * entries and show that the known answers notice.
 */
export interface RoundPlan {
  columns: readonly QuarterStep[];
  turnsAfterColumns: Turns;
  rows: readonly QuarterStep[];
  turnsAfterRows: Turns;
  /** Two of the rounds of Salsa20/8 each. */
  doubleRounds: number;
  /** Adds the input of Salsa20/8 to what the rounds made of it. */
  feedsForward: boolean;
  /** XORs each block with the one before it. */
  chainsBlocks: boolean;
  /** Odd blocks go to the second half of the row. */
  separatesOddBlocks: boolean;
  /** XORs each looked-up row in, rather than ignoring it. */
  mixesLookup: boolean;
  /** Which word of the last block, in diagonal order, chooses the row. */
  lookupWord: number;
  /** Each hash looks up in its own table, rather than all in the first one's. */
  separatesTables: boolean;
  /** Word `wordStep * i`, modulo 16, of a block is at place `i` of its diagonal order. An odd number. */
  wordStep: number;
}

/**
 * scrypt's (RFC 7914 §3 to §5), with the words of a block in diagonal order. Vector `d` is then a diagonal of Salsa20's
 * square, and the four quarter-rounds of a round are four operations on whole vectors.
 */
export const scryptPlan: RoundPlan = {
  columns: [
    { target: 1, left: 0, right: 3, bits: 7 },
    { target: 2, left: 1, right: 0, bits: 9 },
    { target: 3, left: 2, right: 1, bits: 13 },
    { target: 0, left: 3, right: 2, bits: 18 },
  ],
  turnsAfterColumns: [3, 2, 1],
  rows: [
    { target: 3, left: 0, right: 1, bits: 7 },
    { target: 2, left: 3, right: 0, bits: 9 },
    { target: 1, left: 2, right: 3, bits: 13 },
    { target: 0, left: 1, right: 2, bits: 18 },
  ],
  turnsAfterRows: [1, 2, 3],
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

/** Which 32-bit word of a row is at this place of its diagonal order. */
export function naturalWord(place: number, { wordStep }: RoundPlan): number {
  const inBlock = place % blockWords;
  return place - inBlock + ((wordStep * inBlock) % blockWords);
}
