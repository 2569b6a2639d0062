/**
 * JSON in one spelling (RFC 8785), for digests that others compute again.
 *
 * @throws {TypeError} for what that spelling has none for: a surrogate without its other half, a number that is not finite,
 *   or what is not JSON
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "string" && value.isWellFormed()) return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`canonical JSON has no ${describe(value)}`);
  const members = Object.entries(value)
    // By UTF-16 code units, as JavaScript compares strings.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function describe(value: unknown): string {
  return typeof value === "string"
    ? "lone surrogate"
    : typeof value === "number"
      ? String(value)
      : typeof value;
}
