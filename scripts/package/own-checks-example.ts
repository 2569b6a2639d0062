import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../suites/README.md", import.meta.url), "utf8");

/** The module of own checks that `suites/README.md` shows. */
export function ownChecksExample(): string {
  const block = /^```js\n([^]*?)^```$/mu.exec(page)?.[1];
  if (block === undefined) throw new Error("suites/README.md has no block in js");
  return block;
}
