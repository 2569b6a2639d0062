import { readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const msPerTick = 10;

/** Processor time in ms: of the whole machine, all cores together, and of these processes. */
export interface ProcessorTime {
  machineMs: number;
  ownMs: number;
}

/** @returns null where the system does not tell */
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
    ownMs: pids.reduce((sum, pid) => sum + ofProcess(pid), 0),
  };
}

function ofProcess(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name, which may hold spaces and parentheses: proc_pid_stat(5), fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return msPerTick * (Number(fields[11]) + Number(fields[12]));
}
