import { leadingZeroBits } from "../../suites/support/pow/leading-zero-bits.ts";
import { recipeOverrides } from "../../suites/support/pow/recipes.ts";
import { documentInput, powDigest, type PowInput } from "../../suites/support/pow/scrypt-digest.ts";
import { describeZeroBits } from "./quantities.ts";

/** Bytes of the digest to show: more than enough for any feasible difficulty. */
const digestBytesShown = 8;

/**
 * Shows how the digest of a nonce is computed, and whether it meets the difficulty. Document, "Authentication",
 * proof-of-work path 2.
 */
export async function explain(input: PowInput, difficultyBits: number): Promise<string> {
  const { password, salt, N, r, p, dkLen } = documentInput(input);
  const digest = await powDigest(input);
  const bits = leadingZeroBits(digest);
  const shown = digest.subarray(0, Math.max(digestBytesShown, Math.ceil((bits + 1) / 8)));
  const marks = [...shown].map(bitsOf).join(" ").split("");
  return [
    `password  ${JSON.stringify(`${input.jti}:${input.nonce}`)}, ${password.length} bytes of UTF-8`,
    ...bytesInLines(password),
    `salt      ${JSON.stringify(input.saltHexText)}, as text: ${salt.length} bytes of UTF-8`,
    ...bytesInLines(salt),
    ...(await decodedSaltLines(input)),
    `scrypt    N=${N} r=${r} p=${p}, ${dkLen} bytes`,
    `digest    ${hexOf(shown)} … (${shown.length} of ${digest.length} bytes)`,
    `          ${marks.join("")}`,
    `          ${underline(marks, bits)}${describeZeroBits(bits)}, from the most significant bit of byte 0`,
    bits >= difficultyBits
      ? `valid     yes: ${bits} is at least ${difficultyBits}`
      : `valid     no: ${bits} is less than ${difficultyBits}`,
  ].join("\n");
}

async function decodedSaltLines(input: PowInput): Promise<string[]> {
  if (input.saltHexText.length % 2 === 1) {
    return [
      "          note: the text has an odd number of digits, which does not matter because it is not decoded",
    ];
  }
  const decoded = Buffer.from(input.saltHexText, "hex");
  const digest = await powDigest(input, recipeOverrides("decoded-salt", input));
  return [
    `          note: not the ${decoded.length} bytes that the text decodes to:`,
    ...bytesInLines(decoded),
    `          with these the digest would be ${hexOf(digest.subarray(0, 4))} …, which is wrong`,
  ];
}

function underline(marks: readonly string[], bits: number): string {
  let left = bits;
  let line = "";
  for (const mark of marks) {
    if (left === 0) break;
    if (mark !== " ") left -= 1;
    line += mark === " " ? " " : "^";
  }
  return line === "" ? "" : `${line} `;
}

function bytesInLines(bytes: Uint8Array): string[] {
  const perLine = 24;
  const lines = Math.ceil(bytes.length / perLine);
  return Array.from(
    { length: lines },
    (_, at) => `          ${hexOf(bytes.subarray(at * perLine, (at + 1) * perLine))}`,
  );
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

function bitsOf(byte: number): string {
  return byte.toString(2).padStart(8, "0");
}
