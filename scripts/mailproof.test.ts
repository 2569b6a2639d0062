import { readFileSync } from "node:fs";
import { createContext, Script } from "node:vm";
import { expect, test } from "vitest";

const entry = readFileSync(new URL("mailproof.cjs", import.meta.url), "utf8");

/** Runs the entry as it would run under this version of Node.js. */
function underNode(
  version: string,
  hasSources = true,
): { loaded: string[]; printed: string[]; exitCode: number | undefined } {
  const loaded: string[] = [];
  const printed: string[] = [];
  const process: { versions: { node: string }; exitCode?: number } = { versions: { node: version } };
  const context = {
    process,
    __dirname: "/anywhere/scripts",
    console: { error: (line: string) => void printed.push(line) },
    require(name: string) {
      if (name === "../package.json") return { engines: { node: ">=22.22" } };
      if (name === "fs") return { existsSync: () => hasSources };
      if (name === "module") return { enableCompileCache: () => ({}) };
      loaded.push(name);
      return {};
    },
  };
  new Script(entry).runInContext(createContext(context));
  return { loaded, printed, exitCode: process.exitCode };
}

test.for(["0.12.18", "8.17.0", "20.20.2", "22.21.0"])("Node.js %s is refused in one line", (version) => {
  expect(underNode(version)).toEqual({
    loaded: [],
    printed: [`mailproof: needs Node.js 22.22 or later, and this is ${version}`],
    exitCode: 2,
  });
});

test.for(["22.22.0", "24.0.0", "100.1.2"])("Node.js %s runs the command line", (version) => {
  expect(underNode(version)).toEqual({ loaded: ["./mailproof.ts"], printed: [], exitCode: undefined });
});

test("the package, which holds no TypeScript, runs what was compiled", () => {
  expect(underNode("22.22.0", false).loaded).toEqual(["../dist/scripts/package/command-line.js"]);
});

test("the entry has no syntax that an old Node.js cannot read", () => {
  expect(entry).not.toMatch(/=>|`|\b(?:const|let|class|async|await|import|export)\b|\?\.|\?\?/u);
});
