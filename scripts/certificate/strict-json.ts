const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gu;

/**
 * `JSON.parse` takes the last of several members of one name; others take the first. Signed JSON must have one meaning.
 *
 * @throws {SyntaxError} for what is not JSON, and for a name that occurs twice in one object
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const open: Set<string>[] = [];
  let last = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") addName(JSON.parse(last) as string, open.at(-1));
    last = token;
  }
  return value;
}

function addName(name: string, names: Set<string> | undefined): void {
  if (names?.has(name)) throw new SyntaxError(`${JSON.stringify(name)} occurs twice in one object`);
  names?.add(name);
}
