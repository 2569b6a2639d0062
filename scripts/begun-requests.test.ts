import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What stands between these brackets, without the bodies of functions in it. */
function bracketed(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "[") depth += 1;
    if (text[at] === "]") depth -= 1;
    if (depth === 0) return text.slice(0, at + 1);
  }
  return text;
}

const combinator = /Promise\.(?:all|allSettled|any|race)\(/gu;
const ofFunction = /\basync\b|=>/u;

// The promises before it are begun by then, and nobody waits for them yet: one that is rejected meanwhile ends the process.
test("no list of promises awaits one of them while it is made", () => {
  const lists = globSync("suites/**/*.ts").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return Array.from(source.matchAll(combinator), ({ index, 0: begin }) => ({
      file,
      list: bracketed(source.slice(index + begin.length)),
    })).filter(({ list }) => list.startsWith("["));
  });
  expect(lists.length).toBeGreaterThan(15);
  const awaiting = lists.filter(({ list }) => /\bawait\b/u.test(list) && !ofFunction.test(list));
  expect(awaiting).toEqual([]);
});
