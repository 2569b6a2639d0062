import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an authenticator app is set up with. */
export interface TotpSettings {
  readonly key: Uint8Array;
  readonly digits: number;
  readonly periodSeconds: number;
  /** As Node names it. */
  readonly algorithm: string;
}

/** @param secret - in base32, or an `otpauth://totp/` address */
export function totpSettings(secret: string): TotpSettings {
  const url = secret.startsWith("otpauth:") ? new URL(secret).searchParams : new URLSearchParams({ secret });
  return {
    key: base32Bytes(url.get("secret") ?? ""),
    digits: Number(url.get("digits") ?? 6),
    periodSeconds: Number(url.get("period") ?? 30),
    algorithm: (url.get("algorithm") ?? "SHA1").toLowerCase(),
  };
}

/** How many periods have passed since 1970: the T of RFC 6238 §4.2. */
export function totpCounter({ periodSeconds }: TotpSettings, timeMs: number): number {
  return Math.floor(timeMs / 1000 / periodSeconds);
}

/** The code of a period. RFC 4226 §5.3, RFC 6238 §4. */
export function totpCode({ key, digits, algorithm }: TotpSettings, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac(algorithm, key).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** RFC 4648 §6, without regard to case, spaces and padding. */
function base32Bytes(text: string): Uint8Array {
  let bits = "";
  for (const character of text.toUpperCase().replaceAll(/[\s=]/gu, ""))
    bits += alphabet.indexOf(character).toString(2).padStart(5, "0");
  return Uint8Array.from(bits.match(/[01]{8}/gu) ?? [], (byte) => Number.parseInt(byte, 2));
}
