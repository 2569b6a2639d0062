import { createHash } from "node:crypto";
import { outlineOf, parseJson } from "./bounded-json.ts";
import type { CutBody, Exchange } from "./exchange.ts";

/** Bytes of UTF-8 text that a run keeps of bodies. */
export interface KeptBytes {
  /** Of one body. */
  readonly body: number;
  /** Of all bodies of the run together; once it is used up, a body keeps only `afterwards`. */
  readonly run: number;
  readonly afterwards: number;
}

// A token response with long claims has some thousand bytes and the longest message that a check reads 70,000, and the checks
// that look at a whole run read all of them.
const keptBytes = { body: 96 * 1024, run: 48 * 1024 * 1024, afterwards: 16 * 1024 } as const;
/** What a violation rests on may be longer. */
export const keptBytesOfViolation = {
  body: 1024 * 1024,
  run: 32 * 1024 * 1024,
  afterwards: 64 * 1024,
} as const;

/** @returns the exchange with no more of its bodies than the run keeps; the same object when that is all of them */
export type BodyKeeper = (exchange: Exchange) => Exchange;

export function createBodyKeeper(limits: KeptBytes = keptBytes): BodyKeeper {
  let keptInRun = 0;

  function keep(body: string): { readonly body: string; readonly cut?: CutBody } {
    const length = Buffer.byteLength(body);
    const limit = keptInRun + length > limits.run ? limits.afterwards : limits.body;
    keptInRun += Math.min(length, limit);
    return length <= limit ? { body } : cutTo(limit, body);
  }

  return (exchange) => {
    const { request, response } = exchange;
    const [sent, received] = [keep(request.body), keep(response.body)];
    if (sent.cut === undefined && received.cut === undefined) return exchange;
    const json = received.cut && parseJson(response.body);
    return {
      ...exchange,
      request: { ...request, ...sent },
      response: { ...response, ...received, ...(json !== undefined && { outline: outlineOf(json) }) },
    };
  };
}

function cutTo(limit: number, body: string): { readonly body: string; readonly cut: CutBody } {
  const bytes = Buffer.from(body);
  let end = limit;
  // No character is cut in half: its further bytes begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const rest = bytes.subarray(end);
  return {
    body: bytes.toString("utf8", 0, end),
    cut: { bytes: rest.length, sha256: createHash("sha256").update(rest).digest("hex") },
  };
}
