import { exitCodes } from "./exit-codes.ts";

export interface Interruption {
  readonly signal: AbortSignal;
  /** Restores Node's own handling of the signals. */
  end(): void;
}

/**
 * The first Ctrl-C stops the run and lets the command write its report; a second one ends the process at once.
 *
 * @param whatHappens - completes "interrupted: …"
 */
export function listenForInterruption(whatHappens: string): Interruption {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.incomplete);
    console.error(`\ninterrupted: ${whatHappens}; press Ctrl-C again to end at once`);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    end() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
