import { inflateSync } from "node:zlib";

// Cookies of the compressed and of the plain encoding, version 2.
const compressedCookie = 0x1c849314;
const plainCookie = 0x1c849313;
const headerBytes = 40;
const mostBytes = 1024 * 1024;
const significantDigits = 3;
/** Eleven days, in µs. */
const highestValueUs = 10n ** 12n;
/** More than a histogram up to the highest value has. */
const mostBuckets = 65_536;
const highestCount = 1e12;

/**
 * Checks an encoded histogram, which may come from anywhere, before it is decoded. The library that decodes it trusts its
 * lengths: a few bytes could make it fill the memory or count for hours.
 *
 * @param text - compressed HdrHistogram V2 in base64
 * @throws {RangeError} when it is none, or larger than any that a load generator records
 */
export function requireSoundEncoding(text: string): void {
  const compressed = Buffer.from(text, "base64");
  requireThat(compressed.length > 8 && compressed.readInt32BE(0) === compressedCookie);
  requireThat(compressed.readInt32BE(4) === compressed.length - 8);
  const bytes = inflateSync(compressed.subarray(8), { maxOutputLength: mostBytes });
  requireThat(bytes.length >= headerBytes && bytes.readInt32BE(0) === plainCookie);
  requireThat(bytes.readInt32BE(4) === bytes.length - headerBytes);
  requireThat(bytes.readInt32BE(12) === significantDigits);
  requireThat(bytes.readBigInt64BE(16) === 1n);
  const highest = bytes.readBigInt64BE(24);
  requireThat(highest >= 2n && highest <= highestValueUs);
  requireSoundCounts(bytes.subarray(headerBytes));
}

/** Each number is a count, or when negative a run of empty buckets: ZigZag in LEB128 with at most nine bytes. */
function requireSoundCounts(bytes: Buffer): void {
  let buckets = 0;
  for (let at = 0; at < bytes.length;) {
    let number = 0;
    for (let shift = 0, isLast = false; !isLast; shift += 1, at += 1) {
      const byte = bytes[at];
      requireThat(byte !== undefined && shift < 9);
      isLast = byte < 128;
      number += (byte % 128) * 128 ** shift;
    }
    const isEmptyRun = number % 2 === 1;
    requireThat(isEmptyRun || number / 2 <= highestCount);
    buckets += isEmptyRun ? (number + 1) / 2 : 1;
    requireThat(buckets <= mostBuckets);
  }
}

function requireThat(condition: boolean): asserts condition {
  if (!condition) throw new RangeError("not the encoding of a histogram of this program");
}
