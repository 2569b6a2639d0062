import { exitCodes } from "./exit-codes.ts";

export interface Interruption {
  readonly signal: AbortSignal;
  /** Restores Node's own handling of the signals. */
  end(): void;
}

// SIGHUP: the terminal was closed.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// npm passes on the Ctrl-C that the terminal has sent to its child too: both are one key press.
const sameKeyPressMs = 300;

/**
 * The first Ctrl-C stops the run and lets the command write its report; a second one ends the process at once, with the exit
 * code of an incomplete run.
 *
 * @param whatHappens - completes "interrupted: …"
 */
export function listenForInterruption(whatHappens: string): Interruption {
  const controller = new AbortController();
  let firstMs = 0;
  const stop = (): void => {
    if (controller.signal.aborted) {
      if (performance.now() - firstMs > sameKeyPressMs) process.exit(exitCodes.incomplete);
      return;
    }
    firstMs = performance.now();
    console.error(`\ninterrupted: ${whatHappens}; press Ctrl-C again to end at once`);
    controller.abort();
  };
  for (const signal of signals) process.on(signal, stop);
  return {
    signal: controller.signal,
    end() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
