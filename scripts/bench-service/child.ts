import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MeasurementError } from "./measurement-error.ts";

/** A child process that prints a line of JSON when ready, and exits when its standard input ends. */
export interface Child {
  readonly ready: unknown;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * @param script - relative to this folder
 * @throws {MeasurementError} when the process exits before it is ready
 */
export async function startChild(script: string, args: readonly string[] = []): Promise<Child> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const line = await Promise.race([firstLine(child), exited]);
  if (typeof line !== "string")
    throw new MeasurementError(`${script} exited with ${line} before it was ready`);
  return {
    ready: JSON.parse(line),
    pid: child.pid ?? 0,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

async function firstLine(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string | null> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  return null;
}
