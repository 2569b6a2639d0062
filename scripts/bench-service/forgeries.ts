import { randomBytes } from "node:crypto";

export interface Forgery {
  readonly name: string;
  readonly status: number;
  /** Transforms the challenge before it is sent. */
  readonly challenge: (challenge: string) => string;
  readonly powHex: string;
}

/** A random digest with the required zero bits: only scrypt reveals the forgery. */
export function claimedDigest(zeroBits: number): string {
  const digest = randomBytes(64);
  digest.fill(0, 0, Math.ceil(zeroBits / 8));
  return digest.toString("hex");
}

const unchanged = (challenge: string): string => challenge;

/** Forgeries that a service can refuse without scrypt, also when the challenge was used before. */
export function cheapForgeries(difficultyBits: number): readonly Forgery[] {
  const digest = claimedDigest(difficultyBits);
  return [
    { name: "no zero bits", status: 400, challenge: unchanged, powHex: `f${digest.slice(1)}` },
    { name: "one digit short", status: 400, challenge: unchanged, powHex: digest.slice(1) },
    { name: "not hexadecimal", status: 400, challenge: unchanged, powHex: `${digest.slice(1)}z` },
    { name: "wrong signature", status: 401, challenge: invalidSignature, powHex: digest },
  ];
}

/** Changes the first character, because the last one may contain only padding bits. */
function invalidSignature(challenge: string): string {
  const at = challenge.lastIndexOf(".") + 1;
  return `${challenge.slice(0, at)}${challenge[at] === "A" ? "B" : "A"}${challenge.slice(at + 1)}`;
}

/** The body of a sign-up request. */
export function signupBody(powHex: string): string {
  return JSON.stringify({ powHex, nonce: "0", username: "bench-agent" });
}
