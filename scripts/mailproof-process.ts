import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Starts the command line as a user does, for tests.
 *
 * @param nodeOptions - of Node.js, such as `--import=…`
 */
export function startMailproof(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
  const command = [...nodeOptions, join(import.meta.dirname, "mailproof.cjs"), ...args];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...env },
  });
  return { child, ended: whenEnded(child) };
}

export function whenEnded(child: ChildProcess): Promise<Ended> {
  const texts = { out: "", err: "" };
  child.stdout?.on("data", (part: Buffer) => (texts.out += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (texts.err += part.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...texts })));
}
