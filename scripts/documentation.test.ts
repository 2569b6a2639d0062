import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reporterNames } from "./conformance/reporters.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", ".github/**/*.md", "{fixtures,reports,scripts,suites}/**/*.md"], {
  cwd: root,
  exclude: ["reports/runs/**"],
});

const textOf = (page: string): string =>
  readFileSync(join(root, page), "utf8").replaceAll(/^```[^]*?^```$/gmu, "");

/** The fragments that GitHub gives the headings of a page. */
const headingsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (?<title>.*)$/gmu)].map(({ groups }) =>
    (groups?.["title"] ?? "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

const linksOf = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\((?<link>[^)\s]+)\)/gu)].map(({ groups }) => groups?.["link"] ?? "");

test.each(pages)("each link of %s leads to a file, and to a heading of it", (page) => {
  const broken = linksOf(page).filter((link) => {
    if (/^https?:/u.test(link)) return false;
    const [path = "", heading] = link.split("#", 2);
    const linked = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, linked))) return true;
    return heading !== undefined && !headingsOf(linked).includes(heading);
  });
  expect(broken).toEqual([]);
});

test("each page can be found from the README", () => {
  const found = new Set(["README.md"]);
  for (const page of found)
    for (const link of linksOf(page)) {
      const linked = normalize(join(dirname(page), link.split("#", 1)[0] ?? ""));
      if (pages.includes(linked)) found.add(linked);
    }
  expect(pages.filter((page) => !found.has(page))).toEqual([]);
});

test("the table of reporters has each of them", () => {
  const rows = [...textOf("reports/README.md").matchAll(/^\| `(?<name>[a-z]+)` /gmu)];
  expect(rows.map(({ groups }) => groups?.["name"])).toEqual(expect.arrayContaining(reporterNames));
});
