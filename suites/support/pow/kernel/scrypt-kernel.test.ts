import { scryptSync } from "node:crypto";
import { scrypt as nobleScrypt } from "@noble/hashes/scrypt.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../property-settings.ts";
import { candidateForms } from "./calibrate.ts";
import { claimedForms, claimedVectors, givesKnownAnswer } from "./known-answers.ts";
import { scryptPlan } from "./round-plan.ts";
import { lanesOf } from "./row-functions.ts";
import { createKernel, isKernelSupported, kernelBounds } from "./scrypt-kernel.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("two of the vectors of RFC 7914 are within what the kernel claims", () => {
  expect(claimedVectors.map(({ id }) => id)).toEqual(["empty", "service-cost"]);
  expect(isKernelSupported()).toBe(true);
});

test.for(claimedVectors.flatMap((vector) => claimedForms.map((form) => ({ ...vector, form }))))(
  "$source, $id: a kernel of $form.chains chains, $form.width wide, gives its digest in each lane",
  ({ form, ...vector }) => {
    expect(givesKnownAnswer(vector, form, scryptPlan)).toBe(true);
  },
);

const forms = fc.constantFrom(...claimedForms);
// Beyond 64 bytes HMAC hashes its key first.
const text = fc.uint8Array({ maxLength: 150 });
const inputs = fc.array(fc.record({ password: text, salt: text, dkLen: fc.integer({ min: 1, max: 100 }) }), {
  minLength: 1,
  maxLength: Math.max(...claimedForms.map(lanesOf)),
});

test("for any texts, cost, batch and place in it, the kernel agrees with node:crypto and @noble/hashes", () => {
  const cost = fc.record({ N: fc.constantFrom(2, 4, 16, 64, 256), r: fc.integer(kernelBounds.r) });
  fc.assert(
    fc.property(forms, cost, inputs, (form, { N, r }, many) => {
      const batch = many.slice(0, lanesOf(form));
      const digests = createKernel({ form, N, r }).digests(batch).map(hexOf);
      const settings = { N, r, p: 1 };
      expect(digests).toEqual(
        batch.map(({ password, salt, dkLen }) => hexOf(scryptSync(password, salt, dkLen, settings))),
      );
      expect(digests).toEqual(
        batch.map(({ password, salt, dkLen }) => hexOf(nobleScrypt(password, salt, { ...settings, dkLen }))),
      );
    }),
    { ...propertySettings, numRuns: 120 },
  );
});

test.for(candidateForms)(
  "at the service's cost $chains chains, $width wide, agree with node:crypto, batch after batch",
  (form) => {
    const kernel = createKernel({ form });
    fc.assert(
      fc.property(inputs, (many) => {
        const batch = many.slice(0, lanesOf(form));
        expect(kernel.digests(batch).map(hexOf)).toEqual(
          batch.map(({ password, salt, dkLen }) =>
            hexOf(scryptSync(password, salt, dkLen, { N: 16384, r: 8, p: 1, maxmem: 2 ** 26 })),
          ),
        );
      }),
      { ...propertySettings, numRuns: 3 },
    );
  },
);

test("kernels that share a memory in turn leave each other's results right", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const input = { password: new Uint8Array([1]), salt: new Uint8Array([2]), dkLen: 64 };
  const small = createKernel({ form: { chains: 4, width: 2 }, N: 16, memory });
  const large = createKernel({ form: { chains: 2, width: 1 }, N: 1024, memory });
  const digests = [small, large, small].map((kernel) => kernel.digests([input]).map(hexOf));
  const expected = [16, 1024, 16].map((N) => [
    hexOf(scryptSync(input.password, input.salt, 64, { N, r: 8 })),
  ]);
  expect(digests).toEqual(expected);
});

test.for([
  { options: { chains: 0 }, message: "takes 1 to 4 as chains, and was given 0" },
  { options: { chains: 5 }, message: "takes 1 to 4 as chains, and was given 5" },
  { options: { r: 9 }, message: "takes 1 to 8 as r, and was given 9" },
  { options: { N: 32768 }, message: "takes 2 to 16384 as N, and was given 32768" },
  { options: { N: 1000 }, message: "needs a power of two as N, and was given 1000" },
])("beyond its bounds the kernel refuses: it $message", ({ options: { chains = 1, ...cost }, message }) => {
  expect(() => createKernel({ form: { chains, width: 1 }, ...cost })).toThrow(message);
});

test.for([0, 5])("a kernel of four lanes refuses %i inputs", (count) => {
  const input = { password: new Uint8Array(), salt: new Uint8Array(), dkLen: 64 };
  const kernel = createKernel({ form: { chains: 2, width: 2 }, N: 2 });
  expect(() => kernel.digests(Array.from({ length: count }, () => input))).toThrow(`was given ${count}`);
});
