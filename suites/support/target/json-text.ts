/** Why a text cannot be read as JSON. The message says where. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
}

/**
 * Parses a JSON file with or without comments, `//` and those between slashes and stars. A byte order mark, as editors on
 * Windows write it, is skipped.
 *
 * @throws {JsonTextError} when it is not UTF-8, not JSON, or gives one key twice, of which `JSON.parse` would drop the first
 */
export function parseJsonFile(bytes: Uint8Array): unknown {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new JsonTextError("it is UTF-16; save it as UTF-8");
  let text: string;
  try {
    text = withoutComments(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new JsonTextError("it is not UTF-8; save it as UTF-8", { cause });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new JsonTextError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  const repeated = repeatedKey(text);
  if (repeated === undefined) return content;
  const { path, lines } = repeated;
  throw new JsonTextError(
    `the key ${path} stands there twice, on lines ${lines.join(" and ")}; remove one of them`,
  );
}

/** With spaces in their place, so that the positions in messages are those of the file. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*.*?\*\//gsu, (found) =>
    found.startsWith('"') ? found : found.replaceAll(/[^\n]/gu, " "),
  );
}

interface OpenValue {
  /** Each key with its line; undefined for an array. */
  readonly keys: Map<string, number> | undefined;
  /** The key, or the position in an array, whose value is being read. */
  at: string;
}

/** The first key that an object of valid JSON has twice, with its path and the lines of both. */
function repeatedKey(text: string): { path: string; lines: [number, number] } | undefined {
  const open: OpenValue[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\],\n]/gsu)) {
    const innermost = open.at(-1);
    if (token === "\n") line += 1;
    else if (token === "{") open.push({ keys: new Map(), at: "" });
    else if (token === "[") open.push({ keys: undefined, at: "0" });
    else if (token === "}" || token === "]") open.pop();
    else if (token === "," && innermost?.keys === undefined && innermost !== undefined)
      innermost.at = String(Number(innermost.at) + 1);
    else if (token.endsWith(":") && innermost?.keys !== undefined) {
      const key = JSON.parse(token.slice(0, -1)) as string;
      const before = innermost.keys.get(key);
      innermost.at = key;
      if (before !== undefined) return { path: open.map(({ at }) => at).join("."), lines: [before, line] };
      innermost.keys.set(key, line);
      line += token.split("\n").length - 1;
    }
  }
  return undefined;
}
