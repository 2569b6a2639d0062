import vectors from "../../../../fixtures/vectors/pow.json" with { type: "json" };
import { createKernel } from "./scrypt-kernel.ts";
import type { RoundPlan } from "./round-plan.ts";
import { lanesOf, type Form } from "./row-functions.ts";

const utf8 = new TextEncoder();

/** The vectors of RFC 7914 §12 that are within what the kernel claims: p = 1, and N to 16384. */
export const claimedVectors = vectors.scrypt.filter(({ input }) => input.p === 1);

/** Everything that the kernel claims to come in. */
export const claimedForms: readonly Form[] = [1, 2, 3, 4].flatMap((chains) => [
  { chains, width: 1 },
  { chains, width: 2 },
]);

export type KnownAnswer = (typeof claimedVectors)[number];

/** Whether a kernel of the plan gives the vector's digest in each of its lanes, while the others hash something else. */
export function givesKnownAnswer({ input, expected }: KnownAnswer, form: Form, plan: RoundPlan): boolean {
  const { password, salt, N, r, dkLen } = input;
  const kernel = createKernel({ form, N, r, plan });
  const places = Array.from({ length: lanesOf(form) }, (_, place) => place);
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
