import { readFileSync } from "node:fs";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The first block of the README in a language. */
export function readmeExample(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "mu").exec(readme)?.[1];
  if (block === undefined) throw new Error(`README.md has no block in ${language}`);
  return block;
}
