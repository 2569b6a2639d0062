import { readdirSync, readFileSync } from "node:fs";

/** @returns false when nobody is left in the group */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/**
 * Whether a process of the group still runs. In a container whose first process takes no ended ones away, these stay in the
 * group for ever, so they are left out where the system tells.
 */
export function isGroupRunning(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  const ids = process.platform === "linux" ? processIds() : [];
  return ids.length === 0 || ids.some((id) => isRunningIn(group, id));
}

function processIds(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  } catch {
    // A system may hide them.
    return [];
  }
}

/** @see proc_pid_stat(5): behind the name in brackets follow state, parent and process group */
function isRunningIn(group: number, id: string): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    const [state = "", , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(processGroup) === group && !"ZX".includes(state);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
