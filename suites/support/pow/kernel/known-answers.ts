import vectors from "../../../../fixtures/vectors/pow.json" with { type: "json" };
import { createKernel } from "./scrypt-kernel.ts";
import type { RoundPlan } from "./round-plan.ts";
import { lanesOf, type Form } from "./row-functions.ts";

const utf8 = new TextEncoder();

/** The vectors of RFC 7914 §12 that the kernel supports: p = 1 and N up to 16384. */
export const supportedVectors = vectors.scrypt.filter(({ input }) => input.p === 1);

/** Every form that the kernel supports. */
export const supportedForms: readonly Form[] = [1, 2, 3, 4].flatMap((chains) => [
  { chains, width: 1 },
  { chains, width: 2 },
]);

export type KnownAnswer = (typeof supportedVectors)[number];

/** Whether each lane of a kernel gives the vector's digest while the other lanes hash something else. */
export function matchesKnownAnswer({ input, expected }: KnownAnswer, form: Form, plan: RoundPlan): boolean {
  const { password, salt, N, r, dkLen } = input;
  const kernel = createKernel({ form, N, r, plan });
  const allLanes = Array.from({ length: lanesOf(form) }, (_, lane) => lane);
  return allLanes.every((lane) => {
    const inputs = allLanes.map((other) => ({
      password: utf8.encode(other === lane ? password : `other ${other}`),
      salt: utf8.encode(salt),
      dkLen,
    }));
    const digest = kernel.digests(inputs)[lane];
    return digest !== undefined && Buffer.from(digest).toString("hex") === expected.digest;
  });
}
