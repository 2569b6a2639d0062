import { scryptSync } from "node:crypto";
import { scrypt as nobleScrypt } from "@noble/hashes/scrypt.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../property-settings.ts";
import { candidateForms } from "./calibrate.ts";
import { supportedForms, supportedVectors, matchesKnownAnswer } from "./known-answers.ts";
import { scryptPlan } from "./round-plan.ts";
import { lanesOf } from "./row-functions.ts";
import { createKernel, isKernelSupported, kernelBounds } from "./scrypt-kernel.ts";

// Hashes take seconds on a busy machine.

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("the kernel supports two of the vectors of RFC 7914", () => {
  expect(supportedVectors.map(({ id }) => id)).toEqual(["empty", "service-cost"]);
  expect(isKernelSupported()).toBe(true);
});

test.for(supportedVectors.flatMap((vector) => supportedForms.map((form) => ({ ...vector, form }))))(
  "$source, $id: a kernel of $form.chains chains, $form.width wide, gives the digest in every lane",
  ({ form, ...vector }) => {
    expect(matchesKnownAnswer(vector, form, scryptPlan)).toBe(true);
  },
);

const forms = fc.constantFrom(...supportedForms);
// HMAC hashes keys of more than 64 bytes first.
const text = fc.uint8Array({ maxLength: 150 });
const inputs = fc.array(fc.record({ password: text, salt: text, dkLen: fc.integer({ min: 1, max: 100 }) }), {
  minLength: 1,
  maxLength: Math.max(...supportedForms.map(lanesOf)),
});

test("for any inputs, cost and batch size, the kernel agrees with node:crypto and @noble/hashes", () => {
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
  "at the service's cost a kernel of $chains chains, $width wide, agrees with node:crypto, batch after batch",
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

test("kernels that take turns with one memory give correct digests", () => {
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
  { options: { chains: 0 }, message: "needs chains from 1 to 4, got 0" },
  { options: { chains: 5 }, message: "needs chains from 1 to 4, got 5" },
  { options: { r: 9 }, message: "needs r from 1 to 8, got 9" },
  { options: { N: 32768 }, message: "needs N from 2 to 16384, got 32768" },
  { options: { N: 1000 }, message: "needs a power of two as N, got 1000" },
])(
  "the kernel rejects parameters out of bounds: it $message",
  ({ options: { chains = 1, ...cost }, message }) => {
    expect(() => createKernel({ form: { chains, width: 1 }, ...cost })).toThrow(message);
  },
);

test.for([0, 5])("a kernel of four lanes rejects %i inputs", (count) => {
  const input = { password: new Uint8Array(), salt: new Uint8Array(), dkLen: 64 };
  const kernel = createKernel({ form: { chains: 2, width: 2 }, N: 2 });
  expect(() => kernel.digests(Array.from({ length: count }, () => input))).toThrow(`got ${count}`);
});
