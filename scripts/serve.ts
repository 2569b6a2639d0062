import "../fixtures/service/enlarge-thread-pool.ts";
import { optionsUsage } from "../fixtures/service/command-line.ts";
import { runServiceProcess } from "../fixtures/service/service-process.ts";
import { npmExit } from "./serve/npm-exit.ts";

const usage = `mailproof serve [options]

Runs the reference service until it is stopped with Ctrl-C or a signal. Started by npm, it also stops when npm does.

${optionsUsage}`;

/** @returns the exit code */
export async function serve(args: string[]): Promise<number> {
  return runServiceProcess({ usage, args, signal: npmExit() });
}
