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
};

const blockBytes = 64;
const wordBytes = 4;

/** Copies rows with the words of each 64-byte block moved to diagonal order: word `5i mod 16` to place `i`. */
export function toDiagonalOrder(row: Uint8Array): Uint8Array {
  return moveWords(row, (place) => (5 * place) % 16);
}

/** Undoes {@link toDiagonalOrder}: 5 times 13 is 1, modulo 16. */
export function fromDiagonalOrder(row: Uint8Array): Uint8Array {
  return moveWords(row, (place) => (13 * place) % 16);
}

// Bytes are moved, never read as numbers: it holds on machines of either byte order.
function moveWords(row: Uint8Array, sourceOf: (place: number) => number): Uint8Array {
  const moved = new Uint8Array(row.length);
  for (let block = 0; block < row.length; block += blockBytes) {
    for (let place = 0; place < 16; place++) {
      const source = block + wordBytes * sourceOf(place);
      moved.set(row.subarray(source, source + wordBytes), block + wordBytes * place);
    }
  }
  return moved;
}
