import { setTimeout as delay } from "node:timers/promises";
import { InconclusiveError, interrupted } from "../verdict.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/outgoing.ts";
import type { Profile } from "./profile.ts";

/** The time at the target, as far as a run knows it and can move it. */
export interface TargetClock {
  /** Waits in real time. */
  pause(milliseconds: number): Promise<void>;
  /**
   * Lets time pass at the target: moves its clock where the profile says how, else waits.
   *
   * @param send - sends the request that moves the clock
   * @throws {InconclusiveError} precondition-missing, when the clock does not move
   */
  wait(seconds: number, send: (outgoing: Outgoing) => Promise<Exchange>): Promise<void>;
  /** Since 1970: our clock, and what the run has moved the target's by. */
  nowSeconds(): number;
  /** Since the run began. */
  elapsedSeconds(): number;
}

export function createTargetClock({ clock }: Pick<Profile, "clock">, signal: AbortSignal): TargetClock {
  const startedAt = performance.now();
  let advancedSeconds = 0;

  async function pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal }).catch((cause: unknown) => {
      throw interrupted(cause);
    });
  }

  return {
    pause,
    async wait(seconds, send) {
      if (seconds <= 0) return;
      if (clock === undefined) {
        await pause(seconds * 1000);
        return;
      }
      const moved = await send({
        method: "POST",
        url: clock.advance_url,
        headers: [["Content-Type", "application/json"]],
        body: JSON.stringify({ advance_seconds: seconds }),
      });
      if (moved.response.status >= 300) {
        throw new InconclusiveError(
          "precondition-missing",
          `moving the target's clock at ${clock.advance_url}: expected 2xx, got ${moved.response.status}`,
          { exchange: moved },
        );
      }
      advancedSeconds += seconds;
    },
    nowSeconds: () => Date.now() / 1000 + advancedSeconds,
    elapsedSeconds: () => (performance.now() - startedAt) / 1000 + advancedSeconds,
  };
}
