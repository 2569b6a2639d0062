import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Outcome, Task } from "./lane.ts";

/** `hangs`: no check came to an end for a long time, so that the lane was killed, or it ended by itself. */
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

  async function judgeOnce(task: Task, isStatic: boolean): Promise<LaneOutcome> {
    if (isStatic) stop();
    const running = child ?? (await start(isStatic ? task.mutantId : undefined));
    const outcome = await answerOf(running, task);
    if (isStatic || outcome === undefined || outcome.how === "not judged") stop();
    return outcome ?? { how: "hangs" };
  }

  return {
    async judge(task, isStatic) {
      const outcome = await judgeOnce(task, isStatic);
      // A busy machine, or what an earlier mutant has left in the process, says nothing about this one.
      return outcome.how === "not judged" ? judgeOnce(task, isStatic) : outcome;
    },
    close: stop,
  };
}

/** @returns undefined when the child ended, or judged no check for too long: a whole mutant may take longer on a busy machine */
async function answerOf(child: ChildProcess, task: Task): Promise<Outcome | undefined> {
  const { promise, resolve } = Promise.withResolvers<Outcome | undefined>();
  const giveUp = (): void => resolve(undefined);
  const timer = setTimeout(giveUp, silentMs);
  const onMessage = (message: "judging" | Outcome): void => {
    if (message === "judging") timer.refresh();
    else resolve(message);
  };
  child.on("message", onMessage);
  child.once("exit", giveUp);
  try {
    child.send(task);
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage);
    child.off("exit", giveUp);
  }
}
