import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Runs the reference service in the foreground with its options handed through. */
export async function serve(args: string[]): Promise<number> {
  const main = fileURLToPath(new URL("../fixtures/service/main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { stdio: "inherit" });
  // Ctrl-C reaches the service as well; it stops gracefully and then this ends with it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 0)));
}
