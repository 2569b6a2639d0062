import { portOf } from "../../suites/support/target/address-templates.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { StartSettings } from "../../suites/support/target/start-settings.ts";
import type { TargetProcess } from "../../suites/support/target/target-process.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { connectEngine } from "./container-engine.ts";
import { containerLauncher, type PortMapping } from "./container-launcher.ts";
import { type Guard, startGuard } from "./guard.ts";
import type { Launcher } from "./launcher.ts";
import { processLauncher } from "./process-launcher.ts";
import { StartError } from "./start-error.ts";
import type { TargetLog } from "./target-log.ts";
import { requireNobodyAnswers, waitUntilReady } from "./wait-until-ready.ts";

/** A target that was started for a run. */
export interface StartedTarget {
  readonly process: TargetProcess;
  /** Stops it, and removes what it ran in. */
  stop(): Promise<void>;
}

/**
 * Starts a target as its profile says, and waits until it is ready.
 *
 * @param log - receives what the target writes
 * @throws {StartError} when it cannot be started, is not ready in time, or another process answers in its place; nothing
 *   of it is left then
 */
export async function startTarget(
  profile: Profile,
  settings: StartSettings,
  log: TargetLog,
  signal: AbortSignal,
): Promise<StartedTarget> {
  await requireNobodyAnswers(profile, signal);
  const guard = startGuard();
  const launcher = await launcherFor(profile, settings, log, guard).catch((error: unknown) => {
    guard.end();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await launcher.remove();
    guard.end();
  };
  const start = async (): Promise<void> => {
    log.starts();
    await launcher.start();
    await waitUntilReady({ profile, settings, launcher, log, signal });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  const startAgain = (): Promise<void> =>
    start().catch((cause: unknown) => {
      if (!(cause instanceof StartError)) throw cause;
      throw new InconclusiveError("precondition-missing", `starting the target again: ${cause.message}`, {
        cause,
      });
    });
  return {
    process: {
      async restart() {
        await launcher.stop();
        await startAgain();
      },
      kill: () => launcher.kill(),
      startAgain,
    },
    stop,
  };
}

async function launcherFor(
  profile: Profile,
  settings: StartSettings,
  log: TargetLog,
  guard: Guard,
): Promise<Launcher> {
  const { command } = settings;
  if (command !== undefined) return processLauncher(command, settings, log, guard);
  return containerLauncher(await connectEngine(), settings, portsOf(profile, settings), { log, guard });
}

/** Listeners that share an address share a port. Ports with other names are the same in the container and here. */
function portsOf(profile: Profile, { ports }: StartSettings): PortMapping[] {
  const mappings = new Map<number, PortMapping>();
  for (const name of ["auth", "api", "mcp"] as const) {
    const host = Number(portOf(new URL(profile[`${name}_url`])));
    mappings.set(host, { host, container: ports[name] || host });
  }
  for (const [name, port] of Object.entries(ports))
    if (!["auth", "api", "mcp"].includes(name)) mappings.set(port, { host: port, container: port });
  return [...mappings.values()];
}
