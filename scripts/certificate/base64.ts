const alphabets = [/^[A-Za-z0-9+/]*={0,2}$/u, /^[A-Za-z0-9_-]*={0,2}$/u];

/**
 * Reads either alphabet, with padding or without. Every text stands for bytes that no other text of its alphabet stands for:
 * spare bits must be zero.
 *
 * @returns undefined for what is not base64
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!alphabets.some((alphabet) => alphabet.test(text))) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const digits = text.replace(/=+$/u, "");
  const isPadded = digits.length < text.length;
  const again = bytes.toString("base64url");
  if (again !== digits.replaceAll("+", "-").replaceAll("/", "_")) return undefined;
  return isPadded && text.length % 4 !== 0 ? undefined : bytes;
}
