import { scrypt, scryptSync } from "node:crypto";
import { promisify } from "node:util";

export interface PowInput {
  /** Claim of the challenge. */
  jti: string;
  /** The text to hash: a decimal integer, or whatever a check uses instead. */
  nonce: string;
  /** The hexadecimal text itself, in the case it was given in. */
  saltHexText: string;
}

/** The parameters of scrypt (RFC 7914 §2). */
export interface ScryptInput {
  password: Uint8Array;
  salt: Uint8Array;
  N: number;
  r: number;
  p: number;
  /** Output bytes. */
  dkLen: number;
}

/** What the document prescribes. "Authentication", proof-of-work path 2; "Limits", scrypt parameters. */
export function documentInput({ jti, nonce, saltHexText }: PowInput): ScryptInput {
  const utf8 = new TextEncoder();
  return {
    password: utf8.encode(`${jti}:${nonce}`),
    salt: utf8.encode(saltHexText),
    N: 16384,
    r: 8,
    p: 1,
    dkLen: 64,
  };
}

/**
 * The digest of a proof of work, computed off the event loop.
 *
 * @param overrides - scrypt parameters to replace, for a digest with a chosen mistake
 */
export async function powDigest(input: PowInput, overrides: Partial<ScryptInput> = {}): Promise<Uint8Array> {
  const { password, salt, dkLen, ...cost } = { ...documentInput(input), ...overrides };
  return scryptOnThread(password, salt, dkLen, { ...cost, maxmem });
}

/** As {@link powDigest}, on the calling thread. */
export function powDigestSync(input: PowInput, overrides: Partial<ScryptInput> = {}): Uint8Array {
  return scryptDigestSync({ ...documentInput(input), ...overrides });
}

/** scrypt by node:crypto, on the calling thread. */
export function scryptDigestSync({ password, salt, dkLen, ...cost }: ScryptInput): Uint8Array {
  return scryptSync(password, salt, dkLen, { ...cost, maxmem });
}

/** Node's default of 32 MiB is slightly too small for N=32768 and for r=16. */
const maxmem = 256 * 1024 * 1024;

type Cost = Pick<ScryptInput, "N" | "r" | "p"> & { maxmem: number };

const scryptOnThread = promisify<Uint8Array, Uint8Array, number, Cost, Buffer>(scrypt);
