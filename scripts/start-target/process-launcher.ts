import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { environmentOf, type StartSettings } from "../../suites/support/target/start-settings.ts";
import type { Guard } from "./guard.ts";
import type { Launcher } from "./launcher.ts";
import { isGroupRunning, signalGroup } from "./process-group.ts";
import { reasonOf, StartError } from "./start-error.ts";
import type { TargetLog } from "./target-log.ts";

const pollMs = 20;

// A process that waits for a disk ends when it has it.
const longestDeathMs = 5000;

/** Runs a command line in a process group of its own, so that nothing that it starts is left. */
export function processLauncher(
  command: string,
  settings: StartSettings,
  log: TargetLog,
  guard: Guard,
): Launcher {
  let group: number | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  let ending: string | undefined;

  async function untilEnded(deadline: number): Promise<void> {
    while (group !== undefined && isGroupRunning(group) && performance.now() < deadline) await delay(pollMs);
  }

  async function kill(): Promise<void> {
    if (group === undefined) return;
    signalGroup(group, "SIGKILL");
    await closed;
    await untilEnded(performance.now() + longestDeathMs);
    guard.watch("nothing");
    group = undefined;
  }

  async function stop(): Promise<void> {
    if (group === undefined) return;
    signalGroup(group, "SIGTERM");
    await untilEnded(performance.now() + settings.stop_seconds * 1000);
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
      group = started.pid;
      if (group !== undefined) guard.watch({ group });
    },
    stop,
    kill,
    endedWith: async () => (group !== undefined && isGroupRunning(group) ? undefined : ending),
    remove: stop,
  };
}
