import { readFileSync } from "node:fs";

/** Linux reports CPU time in ticks of 1/100 s. */
const msPerTick = 10;

/** CPU time in ms: of the whole machine, and of the given processes. */
export interface ProcessorTime {
  machineMs: number;
  ownMs: number;
}

/** @returns null on other systems than Linux */
export function processorTime(pids: readonly number[]): ProcessorTime | null {
  if (process.platform !== "linux") return null;
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync(
    "/proc/stat",
    "utf8",
  )
    .slice(0, 200)
    .split(/\s+/)
    .map(Number);
  return {
    machineMs: msPerTick * (user + nice + system + irq + softirq + steal),
    ownMs: pids.reduce((sum, pid) => sum + cpuTimeOf(pid), 0),
  };
}

function cpuTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // proc_pid_stat(5), fields 14 and 15. The name before them may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return msPerTick * (Number(fields[11]) + Number(fields[12]));
}
