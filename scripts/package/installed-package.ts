import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");

/** A folder in which a test has installed mailproof from its package. */
export interface InstalledPackage {
  readonly folder: string;
  /** Runs a program of the folder's `node_modules/.bin`, or of the machine. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
}

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Makes the package as `npm publish` would. Returns the path of the tarball. */
export async function packInto(folder: string): Promise<string> {
  const { out } = await succeeded("npm", ["pack", "--json", "--pack-destination", folder], root);
  const [packed] = JSON.parse(out.slice(out.indexOf("["))) as { filename: string }[];
  if (packed === undefined) throw new Error("npm pack made nothing");
  return join(folder, packed.filename);
}

/**
 * Installs the package in an empty folder, as a user of this version of Node.js does.
 *
 * @param nodeVersion - of the npm package `node`; the Node.js of the machine when left out
 */
export async function installInto(
  folder: string,
  tarball: string,
  nodeVersion?: string,
): Promise<InstalledPackage> {
  mkdirSync(folder, { recursive: true });
  // The package `node` fetches its binary in an install script.
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, allowScripts: { node: true } }),
  );
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
  // First, so that npm itself runs under it: npm chooses versions that its own Node.js can run.
  if (nodeVersion !== undefined) await succeeded("npm", [...install, `node@${nodeVersion}`], folder);
  await succeeded("npm", [...install, tarball], folder);
  return { folder, run: (program, args, env) => finished(program, args, folder, env) };
}

async function succeeded(program: string, args: readonly string[], folder: string): Promise<Finished> {
  const ended = await finished(program, args, folder);
  if (ended.code !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${ended.code}: ${ended.err}${ended.out}`);
  return ended;
}

function finished(
  program: string,
  args: readonly string[],
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return runToEnd(program, args, folder, { ...environmentOf(folder), ...more });
}

/** Runs a program until it ends, whatever its exit code is. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Finished> {
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    if (!(error instanceof Error) || typeof Reflect.get(error, "code") !== "number") throw error;
    const { code, stdout, stderr } = error as Error & { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

const keptSettings = /^npm_config_(?:registry|cache|userconfig|globalconfig)$/u;

/** Without what the npm that runs the tests has set for itself, such as where it installs. */
export function environmentOf(folder: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || (name.startsWith("npm_") && !keptSettings.test(name)) ? [] : [[name, value]],
  );
  const settings = Object.fromEntries(kept) as Record<string, string>;
  return {
    ...settings,
    PATH: [join(folder, "node_modules/.bin"), settings["PATH"] ?? ""].join(delimiter),
  };
}
