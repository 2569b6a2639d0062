import { existsSync, globSync, readFileSync } from "node:fs";

/** Linux reports CPU time in ticks of 1/100 s. */
const msPerTick = 10;

/** CPU time in ms: of the whole machine, and of the given processes. */
export interface ProcessorTime {
  machineMs: number;
  ownMs: number;
}

/** @returns null on other systems than Linux */
export function processorTime(pids: readonly number[]): ProcessorTime | null {
  const machineMs = machineTimeMs();
  return machineMs === null ? null : { machineMs, ownMs: pids.reduce((sum, pid) => sum + cpuTimeOf(pid), 0) };
}

/** CPU time of the whole machine, all cores, in ms. @returns null on other systems than Linux */
export function machineTimeMs(): number | null {
  if (process.platform !== "linux") return null;
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync(
    "/proc/stat",
    "utf8",
  )
    .slice(0, 200)
    .split(/\s+/)
    .map(Number);
  return msPerTick * (user + nice + system + irq + softirq + steal);
}

/** CPU time in ms of a process and of all that it has started, those that have ended included. Linux only. */
export function processTreeMs(pid: number): number {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((path) =>
    readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number),
  );
  const ofLive = children.filter((child) => existsSync(`/proc/${child}/stat`)).map(cpuTimeOf);
  const [, , ofEndedUser = 0, ofEndedSystem = 0] = timesOf(pid);
  return cpuTimeOf(pid) + (ofEndedUser + ofEndedSystem) * msPerTick + ofLive.reduce((sum, ms) => sum + ms, 0);
}

function cpuTimeOf(pid: number): number {
  const [user = 0, system = 0] = timesOf(pid);
  return msPerTick * (user + system);
}

/** In ticks: its own user and system time, and those of its children that have ended. */
function timesOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // proc_pid_stat(5), fields 14 to 17. The name before them may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map(Number);
}
