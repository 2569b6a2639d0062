import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../usage-error.ts";
import { type Catalogue, catalogue } from "./catalogue.ts";
import { type LoadedModule, withOwnSuites } from "./own-suites.ts";

/**
 * Everything that comes with mailproof, and the suites that the modules export.
 *
 * @param paths - as the user wrote them, from the working directory
 * @throws {UsageError} when a module cannot be loaded, or what it exports cannot be used
 */
export async function loadOwnSuites(paths: readonly string[]): Promise<Catalogue> {
  if (paths.length === 0) return catalogue;
  resolveOwnName();
  const modules: LoadedModule[] = [];
  for (const path of paths) modules.push(await loadModule(path));
  return withOwnSuites(catalogue, modules);
}

async function loadModule(path: string): Promise<LoadedModule> {
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`--checks ${path}: there is no such file`);
  try {
    const { default: exported } = (await import(pathToFileURL(file).href)) as { default?: unknown };
    return { path, exported, fallbackName: basename(file, extname(file)).toLowerCase() };
  } catch (cause) {
    throw new UsageError(`--checks ${path}: cannot be loaded: ${placeAndMessage(cause)}`, { cause });
  }
}

/** Where Node.js found a mistake is in the stack, before the frames of its own that say nothing to the author. */
function placeAndMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const lines = (cause.stack ?? cause.message).split("\n");
  return lines.filter((line) => !/^ {4}at .*\bnode:/u.test(line)).join("\n");
}

/**
 * Has `mailproof` mean the one that runs, wherever the importing module is. Another copy has errors of its own: a
 * violation would be taken for a defect of the check.
 */
function resolveOwnName(): void {
  const extension = extname(import.meta.filename);
  const exports = new URL(`../package/exports${extension}`, import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === "mailproof" ? exports : specifier, context),
  });
}
