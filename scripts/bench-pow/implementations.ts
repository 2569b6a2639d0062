import { scryptSync } from "node:crypto";
import { scrypt as nobleScrypt } from "@noble/hashes/scrypt.js";
import { scrypt as hashWasmScrypt } from "hash-wasm";
import scryptJs from "scrypt-js";
import { startDigestEngine } from "../../suites/support/pow/kernel/digest-engine.ts";
import { documentInput } from "../../suites/support/pow/scrypt-digest.ts";

/** An implementation of scrypt with the service's parameters (N=16384, r=8, p=1, 64 bytes). */
export interface Implementation {
  /** Per sample, which takes 0.1 to 0.2 s. */
  hashes: number;
  /** Computes the digests of the first `hashes` nonces. */
  sample(): Promise<Uint8Array[]> | Uint8Array[];
}

export const implementationNames = [
  "node:crypto",
  "@noble/hashes",
  "hash-wasm",
  "scrypt-js",
  "mailproof",
] as const;
export type ImplementationName = (typeof implementationNames)[number];

const inputs = Array.from({ length: 24 }, (_, nonce) =>
  documentInput({
    jti: "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192",
    nonce: String(nonce),
    saltHexText: "9f86d081",
  }),
);

export function startImplementation(name: ImplementationName): Implementation {
  switch (name) {
    case "node:crypto":
      return oneByOne(4, ({ password, salt, dkLen, ...cost }) =>
        scryptSync(password, salt, dkLen, { ...cost, maxmem: 2 ** 26 }),
      );
    case "@noble/hashes":
      return oneByOne(2, ({ password, salt, ...cost }) => nobleScrypt(password, salt, cost));
    case "hash-wasm":
      return oneByOne(3, ({ password, salt, N, r, p, dkLen }) =>
        hashWasmScrypt({
          password,
          salt,
          costFactor: N,
          blockSize: r,
          parallelism: p,
          hashLength: dkLen,
          outputType: "binary",
        }),
      );
    case "scrypt-js":
      return oneByOne(1, ({ password, salt, N, r, p, dkLen }) =>
        scryptJs.syncScrypt(password, salt, N, r, p, dkLen),
      );
    case "mailproof": {
      const engine = startDigestEngine();
      const hashes = inputs.length - (inputs.length % engine.lanes);
      return { hashes, sample: () => engine.digests(inputs.slice(0, hashes)) };
    }
  }
}

type ScryptInput = (typeof inputs)[number];

function oneByOne(
  hashes: number,
  compute: (input: ScryptInput) => Uint8Array | Promise<Uint8Array>,
): Implementation {
  return {
    hashes,
    async sample() {
      const digests: Uint8Array[] = [];
      for (const input of inputs.slice(0, hashes)) digests.push(await compute(input));
      return digests;
    },
  };
}
