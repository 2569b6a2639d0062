// A token that is cut in half is found no more when secrets are masked, and says nearly all of itself.
const cutToken = /[\w.~%+/=-]{16,}$/u;

/** The beginning of a text that is longer, with its length. No token and no character is cut in half. */
export function excerpt(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text
    .slice(0, longest)
    .replace(/[\uD800-\uDBFF]$/u, "")
    .replace(cutToken, "");
  return `${start}… (${text.length} characters)`;
}
