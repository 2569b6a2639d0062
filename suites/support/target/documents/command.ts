import { spawn } from "node:child_process";
import { once } from "node:events";
import { InconclusiveError } from "../../verdict.ts";
import type { Place } from "./place.ts";

const timeoutMs = 60_000;

/** Runs a program for each document, which it gets on standard input. What it publishes stays. */
export function publishByCommand(baseUrl: string, command: readonly string[]): Place {
  return {
    async publish(name, content) {
      const url = `${baseUrl}/${name}`;
      const [program = "", ...args] = command.map((part) => part.replaceAll("{name}", name));
      await run(program, args, JSON.stringify(content(url)));
      return url;
    },
    close: async () => {},
  };
}

/** @throws {InconclusiveError} precondition-missing, unless the program ends with 0 in time */
async function run(program: string, args: readonly string[], input: string): Promise<void> {
  const failed = (what: string, cause?: unknown): InconclusiveError =>
    new InconclusiveError(
      "precondition-missing",
      `client_metadata.command: ${program} ${what}; what it writes to standard error is shown`,
      { cause },
    );
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "inherit"], timeout: timeoutMs });
  // A program that does not read its input ends the pipe; its exit code says whether that was right.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw failed(signal === null ? `ended with ${code}` : `was ended by ${signal}`);
  } catch (cause) {
    if (cause instanceof InconclusiveError) throw cause;
    throw failed("cannot be started", cause);
  }
}
