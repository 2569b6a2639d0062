import { leadingZeroBits } from "./leading-zero-bits.ts";

/**
 * Ways to count the leading zero bits of a digest. `msb` is the document's; each of the others is a plausible mistake, so
 * that a search can find digests on which the two disagree.
 */
export type Counting =
  | "msb"
  /** Least significant bit of each byte first. */
  | "lsb"
  /** From the last byte: the digest as one little-endian integer. */
  | "tail"
  /** The first 4 bytes as a little-endian integer. */
  | "word32-le"
  /** The first 8 bytes as a little-endian integer. */
  | "word64-le"
  /** Leading zero hexadecimal digits, four bits each. */
  | "nibbles"
  /** Leading zero bytes, eight bits each. */
  | "bytes";

/** @returns bits, 0 to 8 times the number of bytes that are read */
export function countZeroBits(digest: Uint8Array, counting: Counting): number {
  switch (counting) {
    case "msb":
      return leadingZeroBits(digest);
    case "lsb":
      return leadingZeroBits(digest.map(reverseBits));
    case "tail":
      return leadingZeroBits(digest.toReversed());
    case "word32-le":
      return leadingZeroBits(digest.slice(0, 4).toReversed());
    case "word64-le":
      return leadingZeroBits(digest.slice(0, 8).toReversed());
    case "nibbles":
      return roundDown(leadingZeroBits(digest), 4);
    case "bytes":
      return roundDown(leadingZeroBits(digest), 8);
  }
}

function roundDown(bits: number, unit: number): number {
  return bits - (bits % unit);
}

function reverseBits(byte: number): number {
  return Number.parseInt(byte.toString(2).padStart(8, "0").split("").toReversed().join(""), 2);
}
