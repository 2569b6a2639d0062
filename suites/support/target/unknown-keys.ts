/**
 * What a mistyped key was probably meant to be, as an addition to a message; empty when nothing is near.
 *
 * @param schema - a JSON Schema, whose properties are the keys there are
 */
export function suggestion(key: string, schema: unknown): string {
  const near = knownKeys(schema).find(
    (candidate) => normalised(candidate) === normalised(key) || editDistance(candidate, key) <= 2,
  );
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}

function normalised(key: string): string {
  return key.replaceAll(/[-_]/gu, "").toLowerCase();
}

function knownKeys(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => [
    ...(name === "properties" && typeof value === "object" && value !== null ? Object.keys(value) : []),
    ...knownKeys(value),
  ]);
}

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
