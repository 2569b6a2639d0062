import { documentInput, type PowInput, type ScryptInput } from "./scrypt-digest.ts";

/** How a digest is made: as the document says, or with one mistake that an implementation could make. */
export const recipes = {
  document: () => ({}),
  /** The salt's bytes decoded from the hexadecimal text. */
  "decoded-salt": ({ saltHexText }) => ({ salt: Buffer.from(saltHexText, "hex") }),
  "upper-salt": ({ saltHexText }) => ({ salt: utf8(saltHexText.toUpperCase()) }),
  "lower-salt": ({ saltHexText }) => ({ salt: utf8(saltHexText.toLowerCase()) }),
  "no-colon": ({ jti, nonce }) => ({ password: utf8(jti + nonce) }),
  "nonce-first": ({ jti, nonce }) => ({ password: utf8(`${nonce}:${jti}`) }),
  /** The nonce in hexadecimal. Only for nonces that are decimal integers. */
  "hex-nonce": ({ jti, nonce }) => ({ password: utf8(`${jti}:${BigInt(nonce).toString(16)}`) }),
  newline: ({ jti, nonce }) => ({ password: utf8(`${jti}:${nonce}\n`) }),
  pipe: ({ jti, nonce }) => ({ password: utf8(`${jti}|${nonce}`) }),
  "upper-jti": ({ jti, nonce }) => ({ password: utf8(`${jti.toUpperCase()}:${nonce}`) }),
  /** The nonce as a JavaScript number, which is exact up to 2^53. */
  "rounded-nonce": ({ jti, nonce }) => ({ password: utf8(`${jti}:${BigInt(Number(nonce))}`) }),
  "zero-padded-nonce": ({ jti, nonce }) => ({ password: utf8(`${jti}:0${nonce}`) }),
  swapped: (input) => {
    const { password, salt } = documentInput(input);
    return { password: salt, salt: password };
  },
  "N=32768": () => ({ N: 32768 }),
  "r=16": () => ({ r: 16 }),
  "p=2": () => ({ p: 2 }),
} satisfies Record<string, (input: PowInput) => Partial<ScryptInput>>;

export type Recipe = keyof typeof recipes;

/** The pieces in which the recipe differs from the document: overrides for `powDigest`. */
export function recipeOverrides(recipe: Recipe, input: PowInput): Partial<ScryptInput> {
  return recipes[recipe](input);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
