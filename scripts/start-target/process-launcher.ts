import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { environmentOf, type StartSettings } from "../../suites/support/target/start-settings.ts";
import type { Guard } from "./guard.ts";
import type { Launcher } from "./launcher.ts";
import { reasonOf, StartError } from "./start-error.ts";
import type { TargetLog } from "./target-log.ts";

const pollMs = 20;

// What SIGKILL ended may wait for the init process to take it away.
const mostPollsAfterKill = 100;

/** Runs a command line in a process group of its own, so that nothing that it starts is left. */
export function processLauncher(
  command: string,
  settings: StartSettings,
  log: TargetLog,
  guard: Guard,
): Launcher {
  let child: ChildProcess | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  let ending: string | undefined;

  function signalGroup(signal: NodeJS.Signals | 0): boolean {
    if (child?.pid === undefined) return false;
    try {
      return process.kill(-child.pid, signal);
    } catch {
      // Nobody is left in the group.
      return false;
    }
  }

  async function kill(): Promise<void> {
    signalGroup("SIGKILL");
    await closed;
    for (let polls = 0; polls < mostPollsAfterKill && signalGroup(0); polls += 1) await delay(pollMs);
    guard.watch("nothing");
    child = undefined;
  }

  async function stop(): Promise<void> {
    signalGroup("SIGTERM");
    const deadline = performance.now() + settings.stop_seconds * 1000;
    while (signalGroup(0) && performance.now() < deadline) await delay(pollMs);
    await kill();
  }

  return {
    async start() {
      const started = spawn("/bin/sh", ["-c", command], {
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...environmentOf(settings) },
      });
      ending = undefined;
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => log.append(text));
      started.once("exit", (code, signal) => {
        ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
      });
      closed = new Promise((resolve) => started.once("exit", resolve).once("error", resolve));
      await new Promise<void>((resolve, reject) => {
        started.once("spawn", resolve);
        started.once("error", (cause) =>
          reject(new StartError(`start.command cannot be run: ${reasonOf(cause)}`, { cause })),
        );
      });
      child = started;
      if (started.pid !== undefined) guard.watch({ group: started.pid });
    },
    stop,
    kill,
    endedWith: async () => (signalGroup(0) ? undefined : ending),
    remove: stop,
  };
}
