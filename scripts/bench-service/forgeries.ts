import { randomBytes } from "node:crypto";

export interface Forgery {
  readonly name: string;
  readonly status: number;
  /** The challenge as it is sent. */
  readonly challenge: (challenge: string) => string;
  readonly powHex: string;
}

/** A digest that nobody computed, with as many zero bits as are asked for: only scrypt can tell. */
export function claimedDigest(zeroBits: number): string {
  const digest = randomBytes(64);
  digest.fill(0, 0, Math.ceil(zeroBits / 8));
  return digest.toString("hex");
}

const asItIs = (challenge: string): string => challenge;

/** What a service can refuse without scrypt, and refuses for the same reason when the challenge was used before. */
export function cheapForgeries(difficultyBits: number): readonly Forgery[] {
  const digest = claimedDigest(difficultyBits);
  return [
    { name: "no zero bits", status: 400, challenge: asItIs, powHex: `f${digest.slice(1)}` },
    { name: "a digit short", status: 400, challenge: asItIs, powHex: digest.slice(1) },
    { name: "not hexadecimal", status: 400, challenge: asItIs, powHex: `${digest.slice(1)}z` },
    { name: "wrong signature", status: 401, challenge: otherSignature, powHex: digest },
  ];
}

/** Its first character changed, so that another value results: the last one holds padding bits. */
function otherSignature(challenge: string): string {
  const at = challenge.lastIndexOf(".") + 1;
  return `${challenge.slice(0, at)}${challenge[at] === "A" ? "B" : "A"}${challenge.slice(at + 1)}`;
}

/** The body of a signup that never comes about. */
export function signupBody(powHex: string): string {
  return JSON.stringify({ powHex, nonce: "0", username: "bench-agent" });
}
