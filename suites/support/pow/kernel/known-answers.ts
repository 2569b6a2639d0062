import vectors from "../../../../fixtures/vectors/pow.json" with { type: "json" };
import { createKernel } from "./scrypt-kernel.ts";
import type { RoundPlan } from "./round-plan.ts";

const utf8 = new TextEncoder();

/** The vectors of RFC 7914 §12 that are within what the kernel claims: p = 1, and N to 16384. */
export const claimedVectors = vectors.scrypt.filter(({ input }) => input.p === 1);

export type KnownAnswer = (typeof claimedVectors)[number];

/**
 * Whether a kernel of the plan gives the vector's digest in each of its lanes, while the others hash something else.
 *
 * @param lanes - hashes computed at once
 */
export function givesKnownAnswer({ input, expected }: KnownAnswer, lanes: number, plan: RoundPlan): boolean {
  const { password, salt, N, r, dkLen } = input;
  const kernel = createKernel({ lanes, N, r, plan });
  const places = Array.from({ length: lanes }, (_, place) => place);
  return places.every((place) => {
    const inputs = places.map((other) => ({
      password: utf8.encode(other === place ? password : `other ${other}`),
      salt: utf8.encode(salt),
      dkLen,
    }));
    const digest = kernel.digests(inputs)[place];
    return digest !== undefined && Buffer.from(digest).toString("hex") === expected.digest;
  });
}
