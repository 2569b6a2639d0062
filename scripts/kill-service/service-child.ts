import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const ready = z.object({
  addresses: z.object({ auth_url: z.string(), api_url: z.string(), mcp_url: z.string() }),
});

export type Addresses = z.infer<typeof ready>["addresses"];

/** The reference service as a process of its own, which keeps its state. */
export interface ServiceChild {
  readonly addresses: Addresses;
  /** Ends the process with SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Lets it finish. */
  stop(): Promise<void>;
}

/** Where the service keeps its state: its option, and a directory or the URL of a database. */
export interface Storage {
  readonly option: "--data" | "--database";
  readonly location: string;
}

export interface ServiceOptions {
  readonly storage: Storage;
  /** A deliberate defect of such a store, by its id; null for the sound service. */
  readonly fault: string | null;
  /** The command that runs the service, such as a tracer. */
  readonly through?: readonly string[];
}

const service = fileURLToPath(new URL("../../fixtures/service/main.ts", import.meta.url));
const faultyService = fileURLToPath(
  new URL("../../fixtures/faults/stores/serve-store-fault.ts", import.meta.url),
);
// Without zero bits to find, a proof of work costs one evaluation.
const options = ["--json", "--exit-with-parent", "--difficulty", "0", "--registration-limit", "1000000"];

/** Starts the service and waits until it is ready. */
export async function startService({
  storage: { option, location },
  fault,
  through = [],
}: ServiceOptions): Promise<ServiceChild> {
  const program = fault === null ? [service, option, location] : [faultyService, fault, location];
  const [command = process.execPath, ...args] = [...through, process.execPath, ...program, ...options];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await Promise.race([firstLine(child.stdout), ended]);
  if (line === undefined)
    throw new Error(`the service with its state in ${location} ended before it was ready`);
  return {
    addresses: ready.parse(JSON.parse(line)).addresses,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) return line;
  return undefined;
}
