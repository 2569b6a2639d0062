import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { startMailproof } from "./mailproof-process.ts";

const root = join(import.meta.dirname, "..");
const ready = z.object({
  addresses: z.object({ auth_url: z.string(), api_url: z.string(), mcp_url: z.string() }),
  pid: z.number(),
});

const commands = {
  "npm run serve": { file: "npm", args: ["run", "--silent", "serve", "--"] },
  "mailproof serve": { file: process.execPath, args: ["scripts/mailproof.ts", "serve"] },
};
const rows = (Object.keys(commands) as (keyof typeof commands)[]).flatMap((command) =>
  (["SIGTERM", "SIGKILL", "SIGHUP"] as const).map((signal) => ({ command, signal })),
);

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
});

/** Starts the command as `command &` in a script does, and waits until the service is ready. */
async function startServing({ file, args }: { file: string; args: readonly string[] }) {
  // Not what the tests' own npm set: outside of npm there is none of it.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
  const child = spawn(file, [...args, "--json"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const { addresses, pid } = ready.parse(JSON.parse(line));
    started.push(pid);
    return { child, exited, pid, urls: Object.values(addresses) };
  }
  throw new Error(`${file} ended before the service was ready`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ESRCH") return false;
    throw cause;
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

test.for(rows)("$signal to $command ends the service and frees its ports", async (row) => {
  const { child, exited, pid, urls } = await startServing(commands[row.command]);
  expect(await Promise.all(urls.map(answers))).toEqual([true, true, true]);
  child.kill(row.signal);
  await exited;
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  expect(await Promise.all(urls.map(answers))).toEqual([false, false, false]);
});

test("serve --help names the command that the user typed", async () => {
  const { code, out } = await startMailproof(["serve", "--help"]).ended;
  expect(out).toMatch(/^mailproof serve \[options\]\n/);
  expect(code).toBe(0);
});
