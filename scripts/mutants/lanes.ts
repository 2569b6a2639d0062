import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Outcome, Task } from "./lane.ts";

/** The verdict of a lane that had to be killed: the service, or a loop in it, did not come to an end. */
export type LaneOutcome = Outcome | { readonly how: "hangs" };

export interface Lane {
  /** @param isStatic - the mutant is in code that runs while it is imported, so that the process is a fresh one */
  judge(task: Task, isStatic: boolean): Promise<LaneOutcome>;
  close(): void;
}

const program = fileURLToPath(new URL("lane.ts", import.meta.url));
const silentMs = 120_000;

/** Judges mutants one at a time, in a child process that is replaced when a mutant blocks it. */
export function openLane(): Lane {
  let child: ChildProcess | undefined;

  const stop = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };

  async function start(mutantId?: string): Promise<ChildProcess> {
    const env = { ...process.env, ...(mutantId !== undefined && { MAILPROOF_MUTANT: mutantId }) };
    const started = fork(program, { env, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    child = started;
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    await once(started, "message");
    return started;
  }

  return {
    async judge(task, isStatic) {
      if (isStatic) stop();
      const running = child ?? (await start(isStatic ? task.mutantId : undefined));
      const outcome = await answerOf(running, task);
      if (isStatic || outcome === undefined) stop();
      return outcome ?? { how: "hangs" };
    },
    close: stop,
  };
}

/** @returns undefined when the child ended or said nothing for too long */
async function answerOf(child: ChildProcess, task: Task): Promise<Outcome | undefined> {
  const done = new AbortController();
  const timer = setTimeout(() => done.abort(), silentMs);
  const onExit = (): void => done.abort();
  child.once("exit", onExit);
  try {
    child.send(task);
    const [outcome] = (await once(child, "message", { signal: done.signal })) as [Outcome];
    return outcome;
  } catch (error) {
    if (done.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    child.off("exit", onExit);
  }
}
