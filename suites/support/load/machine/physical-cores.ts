import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * Cores available to a process, with the hyperthreads of a core counted once: they share its execution units, so a target that
 * keeps every core busy would seem half idle.
 */
export function physicalCores(): number {
  return Math.min(availableParallelism(), topologyCores() ?? Infinity);
}

/** Undefined where the kernel does not expose it. */
function topologyCores(): number | undefined {
  const root = "/sys/devices/system/cpu";
  try {
    const siblings = readdirSync(root)
      .filter((name) => /^cpu\d+$/u.test(name))
      .map((name) => readFileSync(`${root}/${name}/topology/thread_siblings_list`, "utf8").trim());
    return siblings.length === 0 ? undefined : new Set(siblings).size;
  } catch (error) {
    // Not Linux, or a CPU is offline: fall back to what the runtime reports.
    if (Reflect.get(Object(error), "code") !== "ENOENT") throw error;
    return undefined;
  }
}
