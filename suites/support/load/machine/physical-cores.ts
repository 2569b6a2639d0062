import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * Cores of this machine that a process may use, hyperthreads of one core counted once: two scrypts on one core share its
 * vector units and memory, and a target that keeps every core busy would look half idle.
 */
export function physicalCores(): number {
  return Math.min(availableParallelism(), coresOfTopology() ?? Infinity);
}

/** Undefined where the kernel does not show it. */
function coresOfTopology(): number | undefined {
  const root = "/sys/devices/system/cpu";
  try {
    const siblings = readdirSync(root)
      .filter((name) => /^cpu\d+$/u.test(name))
      .map((name) => readFileSync(`${root}/${name}/topology/thread_siblings_list`, "utf8").trim());
    return siblings.length === 0 ? undefined : new Set(siblings).size;
  } catch (error) {
    // Another system, or a processor that is switched off: what the runtime says has to do.
    if (Reflect.get(Object(error), "code") !== "ENOENT") throw error;
    return undefined;
  }
}
