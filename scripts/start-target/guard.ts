import { spawn } from "node:child_process";
import { extname, join } from "node:path";

/** A process that ends a target when mailproof is gone without having done so, as after SIGKILL. */
export interface Guard {
  /** What to end, in place of what was named before. */
  watch(what: { readonly group: number } | { readonly containers: readonly string[] } | "nothing"): void;
  end(): void;
}

export function startGuard(): Guard {
  const program = join(import.meta.dirname, `guard-process${extname(import.meta.filename)}`);
  // A group of its own: Ctrl-C is for mailproof.
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  // A guard that cannot be started guards nothing; the run goes on without it.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.unref();
  return {
    watch: (what) => void child.stdin.write(`${JSON.stringify(what)}\n`),
    end() {
      child.stdin.end(`${JSON.stringify("nothing")}\n`);
    },
  };
}
