import { setTimeout as delay } from "node:timers/promises";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// Linux reports CPU time to user space in ticks of 1/100 s, whatever the kernel's HZ.
const ticksPerSecond = 100;
const pageKiB = 4;

/** CPU seconds of all processors since boot, including steal time; undefined without /proc. */
export function cpuUsageOfMachine(): number | undefined {
  const line = readIfExists("/proc/stat")?.split("\n", 1)[0];
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .split(/\s+/u)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / ticksPerSecond;
}

/** Cores that other processes keep busy, averaged over the duration; undefined without /proc. */
export async function busyCores(durationMs: number): Promise<number | undefined> {
  const before = cpuUsageOfMachine();
  const ownBefore = process.cpuUsage();
  await delay(durationMs);
  const after = cpuUsageOfMachine();
  if (before === undefined || after === undefined) return undefined;
  const own = process.cpuUsage(ownBefore);
  return Math.max(0, after - before - (own.user + own.system) / 1e6) / (durationMs / 1000);
}

/** CPU seconds of a process and its threads; undefined when it has exited. */
export function cpuUsageOfProcess(pid: number): number | undefined {
  const stat = readIfExists(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field, the program's name in parentheses, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export function residentMiB(pid: number): number | undefined {
  const pages = readIfExists(`/proc/${pid}/statm`)?.split(" ")[1];
  return pages === undefined ? undefined : (Number(pages) * pageKiB) / 1024;
}

/** The process that listens on a port of this machine; undefined when it cannot be determined. */
export function processListeningOn(port: number): number | undefined {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  const listening = "0A";
  const sockets = new Set(
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) =>
      (readIfExists(file) ?? "")
        .split("\n")
        .map((line) => line.trim().split(/\s+/u))
        .filter(([, local = "", , state]) => state === listening && local.endsWith(`:${hexPort}`))
        .map((fields) => `socket:[${fields[9]}]`),
    ),
  );
  if (sockets.size === 0) return undefined;
  return listIfExists("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .find((pid) =>
      listIfExists(`/proc/${pid}/fd`).some((fd) => sockets.has(readLinkIfExists(`/proc/${pid}/fd/${fd}`))),
    );
}

// Processes may exit while /proc is read, and those of other users are not readable.
function readIfExists(path: string): string | undefined {
  return undefinedIfMissing(() => readFileSync(path, "utf8"));
}

function listIfExists(path: string): string[] {
  return undefinedIfMissing(() => readdirSync(path)) ?? [];
}

function readLinkIfExists(path: string): string {
  return undefinedIfMissing(() => readlinkSync(path)) ?? "";
}

function undefinedIfMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    if (["ENOENT", "EACCES", "ESRCH", "ENOTDIR", "EPERM"].includes(String(code))) return undefined;
    throw error;
  }
}
