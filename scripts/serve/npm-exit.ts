import { readFileSync } from "node:fs";

const pollIntervalMs = 250;

/**
 * Aborts when the npm command that runs this process exits. Without npm it never aborts.
 *
 * npm passes SIGTERM to its shell, which does not pass it on, and nobody is told of SIGKILL or SIGHUP. Without this,
 * `npm run serve` could be killed and leave a service behind that holds its ports.
 */
export function npmExit(): AbortSignal {
  const controller = new AbortController();
  const script = process.env["npm_lifecycle_script"];
  if (script === undefined) return controller.signal;
  const shellPid = isNpmShell(process.ppid, script) ? process.ppid : null;
  // An orphan gets a new parent, so a change here means that npm or its shell has exited.
  const parents = (): string => `${process.ppid} ${shellPid === null ? "" : parentOf(shellPid)}`;
  const parentsAtStart = parents();
  const timer = setInterval(() => {
    if (parents() === parentsAtStart) return;
    clearInterval(timer);
    controller.abort();
  }, pollIntervalMs);
  timer.unref();
  return controller.signal;
}

/**
 * Whether the process is the shell between npm and its script. Some shells replace themselves by the script instead.
 */
function isNpmShell(pid: number, script: string): boolean {
  const [, option, command] = procFile(pid, "cmdline").split("\0");
  return option === "-c" && command?.startsWith(script) === true;
}

/** @returns "" when the process has exited */
function parentOf(pid: number): string {
  // The fields after the name, which is in parentheses and may hold anything: state, parent, … See proc(5).
  return procFile(pid, "stat").split(") ").at(-1)?.split(" ")[1] ?? "";
}

/** @returns "" when the process has exited, and on systems without /proc, where the shell replaces itself */
function procFile(pid: number, name: "cmdline" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ESRCH"))
      return "";
    throw cause;
  }
}
