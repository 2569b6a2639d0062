/**
 * Zero bits before the first one bit, most significant bit of byte 0 first. Document, "Authentication", proof-of-work
 * path 2: the digest is read as a big-endian bit string.
 *
 * @param digest - raw bytes, not hex; any length
 * @returns bits, 0 to `8 * digest.length`
 */
export function leadingZeroBits(digest: Uint8Array): number {
  let bits = 0;
  for (const byte of digest) {
    for (let mask = 0x80; mask > 0; mask >>= 1) {
      if ((byte & mask) !== 0) return bits;
      bits += 1;
    }
  }
  return bits;
}
