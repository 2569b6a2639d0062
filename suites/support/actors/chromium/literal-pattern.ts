/** A text as the source of a regular expression that matches it alone. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
}
