import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import type { HeaderLines } from "./exchange.ts";

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const unzip: Decoder = promisify(gunzip);
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: unzip,
  "x-gzip": unzip,
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  // RFC 9110 §8.4.1.2: some send the bare deflate stream, without the zlib format around it.
  deflate: (body, options) =>
    promisify(inflate)(body, options).catch(() => promisify(inflateRaw)(body, options)),
};

/**
 * The body without its content codings (RFC 9110 §8.4); codings that are not known are left.
 *
 * @throws {RangeError} with the code ERR_BUFFER_TOO_LARGE, when the decoded body is longer than `maxBytes`
 */
export async function decodedBody(
  body: Uint8Array,
  headers: HeaderLines,
  maxBytes: number,
): Promise<Uint8Array> {
  const codings = headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase());
  let decoded = body;
  // The last one named was applied last.
  for (const coding of codings.toReversed()) {
    const decode = decoders[coding];
    if (decode === undefined || decoded.length === 0) break;
    decoded = await decode(decoded, { maxOutputLength: maxBytes });
  }
  return decoded;
}
