import { fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import type { SolverReport, SolverRequest } from "./process-messages.ts";

// JavaScript beside JavaScript in the package, TypeScript in the sources.
const program = new URL(`./process-entry${extname(import.meta.filename)}`, import.meta.url);

/** A child process that searches. It ends when this process ends, for whatever reason. */
export interface SolverProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  send(request: SolverRequest): void;
  /** While busy, it keeps this process running and is expected to report. */
  setBusy(isBusy: boolean): void;
  /** Ends it at once, without telling the listener. */
  stop(): Promise<void>;
}

export interface SolverProcessListener {
  onReport(report: SolverReport): void;
  /** It could not be started, crashed, or was killed because it stopped reporting. Called at most once. */
  onLost(cause: Error): void;
}

export interface SolverProcessOptions {
  threads: number;
  /** V8 flags. */
  flags: readonly string[];
  /** How long it may be busy without a report, start-up included. */
  silenceSeconds?: number;
}

// A batch takes well under a second of processor time, but a machine whose cores are shared by many stretches it to a minute.
const defaultSilenceSeconds = 180;

export function startSolverProcess(
  { threads, flags, silenceSeconds = defaultSilenceSeconds }: SolverProcessOptions,
  { onReport, onLost }: SolverProcessListener,
): SolverProcess {
  const child = fork(program, [String(threads)], {
    // Replaces the flags of this process: a test runner's loaders have no place in the child.
    execArgv: [...flags],
    // JSON has no bigint.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let isOver = false;
  let silentSeconds = 0;
  let watchdog: NodeJS.Timeout | undefined;

  function lose(cause: Error): void {
    if (isOver) return;
    isOver = true;
    clearInterval(watchdog);
    child.kill("SIGKILL");
    onLost(cause);
  }

  /** Counts ticks, because the clock continues while Ctrl-Z or suspending the machine stops both processes. */
  function checkSilence(): void {
    silentSeconds += 1;
    if (silentSeconds > silenceSeconds) {
      lose(new Error(`the solver process sent no report for ${silenceSeconds} s`));
    }
  }

  child.on("message", (report: SolverReport) => {
    if (isOver) return;
    silentSeconds = 0;
    onReport(report);
  });
  child.once("error", (cause) => lose(new Error("the solver process could not be started", { cause })));
  child.once("exit", (code, signal) =>
    lose(new Error(`the solver process ended with ${signal ?? `exit code ${code}`}`)),
  );

  return {
    pid: child.pid,
    send(request) {
      // Without a pid there is no channel. Otherwise sending fails only when the process is gone, which "exit" reports.
      if (child.pid !== undefined) child.send(request, () => undefined);
    },
    setBusy(isBusy) {
      if (isBusy) {
        child.ref();
        child.channel?.ref();
        watchdog ??= setInterval(checkSilence, 1000);
      } else {
        child.unref();
        child.channel?.unref();
        clearInterval(watchdog);
        watchdog = undefined;
        silentSeconds = 0;
      }
    },
    async stop() {
      isOver = true;
      clearInterval(watchdog);
      const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      if (isGone) return;
      // Keeps this process running until the child is gone.
      child.ref();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
