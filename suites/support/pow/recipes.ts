import { documentInput, type PowInput, type ScryptInput } from "./scrypt-digest.ts";

/** How to compute a digest: as the document says, or with one mistake that an implementation could make. */
export const recipes = {
  document: () => ({}),
  /** The bytes that the hexadecimal text decodes to. */
  "decoded-salt": ({ saltHexText }) => ({ salt: Buffer.from(saltHexText, "hex") }),
  "upper-salt": ({ saltHexText }) => ({ salt: utf8(saltHexText.toUpperCase()) }),
  "lower-salt": ({ saltHexText }) => ({ salt: utf8(saltHexText.toLowerCase()) }),
  "empty-salt": () => ({ salt: utf8("") }),
  "no-colon": ({ jti, nonce }) => ({ password: utf8(jti + nonce) }),
  "nonce-first": ({ jti, nonce }) => ({ password: utf8(`${nonce}:${jti}`) }),
  /** The nonce in hexadecimal. Throws for a nonce that is not an integer. */
  "hex-nonce": ({ jti, nonce }) => ({ password: utf8(`${jti}:${BigInt(nonce).toString(16)}`) }),
  newline: ({ jti, nonce }) => ({ password: utf8(`${jti}:${nonce}\n`) }),
  pipe: ({ jti, nonce }) => ({ password: utf8(`${jti}|${nonce}`) }),
  "upper-jti": ({ jti, nonce }) => ({ password: utf8(`${jti.toUpperCase()}:${nonce}`) }),
  /** The nonce as a JavaScript number, exact up to 2^53. Throws for a nonce that is not an integer. */
  "rounded-nonce": ({ jti, nonce }) => ({ password: utf8(`${jti}:${BigInt(Number(nonce))}`) }),
  "zero-padded-nonce": ({ jti, nonce }) => ({ password: utf8(`${jti}:0${nonce}`) }),
  swapped: (input) => {
    const { password, salt } = documentInput(input);
    return { password: salt, salt: password };
  },
  "N=32768": () => ({ N: 32768 }),
  "r=16": () => ({ r: 16 }),
  "p=2": () => ({ p: 2 }),
  "N=8192": () => ({ N: 8192 }),
  "N=1024": () => ({ N: 1024 }),
  "r=4": () => ({ r: 4 }),
} satisfies Record<string, (input: PowInput) => Partial<ScryptInput>>;

export type Recipe = keyof typeof recipes;

/** What the recipe changes in the input of scrypt: overrides for `powDigest`. */
export function recipeOverrides(recipe: Recipe, input: PowInput): Partial<ScryptInput> {
  return recipes[recipe](input);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
