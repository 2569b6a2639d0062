import { readFileSync } from "node:fs";

/** A style sheet or a script of `reports/assets/`, which a page holds as it is. */
export function assetText(name: string): string {
  return readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");
}
