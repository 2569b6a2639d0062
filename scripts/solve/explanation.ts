import { leadingZeroBits } from "../../suites/support/pow/leading-zero-bits.ts";
import { recipeOverrides } from "../../suites/support/pow/recipes.ts";
import { documentInput, powDigest, type PowInput } from "../../suites/support/pow/scrypt-digest.ts";
import { leadingZeroBitsInWords } from "./quantities.ts";

/** Bytes shown of a digest: enough for the zero bits of any difficulty that can be solved. */
const digestBytesShown = 8;

/**
 * Step by step how a nonce becomes a digest, and why that counts or does not. Document, "Authentication", proof-of-work
 * path 2.
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
    `salt      ${JSON.stringify(input.saltHexText)}, its text as ${salt.length} bytes of UTF-8`,
    ...bytesInLines(salt),
    ...(await decodedSaltLines(input)),
    `scrypt    N=${N} r=${r} p=${p}, ${dkLen} bytes`,
    `digest    ${hexOf(shown)} … (${shown.length} of ${digest.length} bytes)`,
    `          ${marks.join("")}`,
    `          ${underline(marks, bits)}${leadingZeroBitsInWords(bits)}, counted from the most significant bit of byte 0`,
    bits >= difficultyBits
      ? `counts    yes: ${bits} is at least ${difficultyBits}`
      : `counts    no: ${bits} is less than ${difficultyBits}`,
  ].join("\n");
}

async function decodedSaltLines(input: PowInput): Promise<string[]> {
  if (input.saltHexText.length % 2 === 1) {
    return ["          warning: the text has an odd number of digits; it cannot be decoded, nor must it be"];
  }
  const decoded = Buffer.from(input.saltHexText, "hex");
  const digest = await powDigest(input, recipeOverrides("decoded-salt", input));
  return [
    `          warning: not the ${decoded.length} bytes that the text decodes to:`,
    ...bytesInLines(decoded),
    `          with them the digest would be ${hexOf(digest.subarray(0, 4))} …, ${leadingZeroBitsInWords(leadingZeroBits(digest))}, which proves nothing`,
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
