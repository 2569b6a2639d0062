import { setTimeout as delay } from "node:timers/promises";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// Linux counts processor time in ticks of 1/100 s for every program, whatever the kernel's own rate.
const ticksPerSecond = 100;
const pageKiB = 4;

/** Seconds that all processors together were busy since the start, time stolen by other machines included; undefined where there is no /proc. */
export function cpuUsageOfMachine(): number | undefined {
  const line = readIfThere("/proc/stat")?.split("\n", 1)[0];
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .split(/\s+/u)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / ticksPerSecond;
}

/** Cores that were busy meanwhile with anything but this process; undefined where there is no /proc. */
export async function busyCores(durationMs: number): Promise<number | undefined> {
  const before = cpuUsageOfMachine();
  const ownBefore = process.cpuUsage();
  await delay(durationMs);
  const after = cpuUsageOfMachine();
  if (before === undefined || after === undefined) return undefined;
  const own = process.cpuUsage(ownBefore);
  return Math.max(0, after - before - (own.user + own.system) / 1e6) / (durationMs / 1000);
}

/** Seconds of processor time of a process, its threads included; undefined when it is gone. */
export function cpuUsageOfProcess(pid: number): number | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export function residentMiB(pid: number): number | undefined {
  const pages = readIfThere(`/proc/${pid}/statm`)?.split(" ")[1];
  return pages === undefined ? undefined : (Number(pages) * pageKiB) / 1024;
}

/** The process that listens on a loopback port of this machine; undefined when it cannot be told. */
export function processListeningOn(port: number): number | undefined {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  const listening = "0A";
  const sockets = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) =>
      (readIfThere(file) ?? "")
        .split("\n")
        .map((line) => line.trim().split(/\s+/u))
        .filter(([, local = "", , state]) => state === listening && local.endsWith(`:${hexPort}`))
        .map((fields) => `socket:[${fields[9]}]`),
    ),
  );
  if (sockets.size === 0) return undefined;
  return listIfThere("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .find((pid) =>
      listIfThere(`/proc/${pid}/fd`).some((fd) => sockets.has(linkIfThere(`/proc/${pid}/fd/${fd}`))),
    );
}

// Processes come and go while they are looked at, and those of others may not be looked into: neither is an error here.
function readIfThere(path: string): string | undefined {
  return orAbsent(() => readFileSync(path, "utf8"));
}

function listIfThere(path: string): string[] {
  return orAbsent(() => readdirSync(path)) ?? [];
}

function linkIfThere(path: string): string {
  return orAbsent(() => readlinkSync(path)) ?? "";
}

function orAbsent<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    if (["ENOENT", "EACCES", "ESRCH", "ENOTDIR", "EPERM"].includes(String(code))) return undefined;
    throw error;
  }
}
