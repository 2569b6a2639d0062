/** Wire names in a sentence, each as a code span: `` `invalid_grant` or `invalid_request` ``. */
export function codeSpans(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" or ");
}
