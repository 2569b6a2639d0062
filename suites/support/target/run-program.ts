import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { InconclusiveError } from "../verdict.ts";

const timeoutMs = 60_000;

/**
 * Runs a program that the profile names.
 *
 * @param key - of the profile, for messages
 * @returns what it wrote to standard output
 * @throws {InconclusiveError} precondition-missing, unless it ends with 0 within a minute
 */
export async function runProgram(key: string, command: readonly string[], input: string): Promise<string> {
  const [program = "", ...args] = command;
  const failed = (what: string, cause?: unknown): InconclusiveError =>
    new InconclusiveError("precondition-missing", `${key}: ${program} ${what}`, { cause });
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], timeout: timeoutMs });
  // A program that does not read its input ends the pipe; its exit code says whether that was right.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  try {
    const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
    const [output, [code, signal]] = await Promise.all([text(child.stdout), ended]);
    if (code === 0) return output;
    throw failed(signal === null ? `ended with ${code}` : `was ended by ${signal}`);
  } catch (cause) {
    if (cause instanceof InconclusiveError) throw cause;
    throw failed("cannot be started", cause);
  }
}
