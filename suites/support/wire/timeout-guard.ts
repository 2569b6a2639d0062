import { originOf } from "./url.ts";
import type { Outgoing } from "./http.ts";
import { InconclusiveError } from "../verdict.ts";

export interface TimeoutGuard {
  /** @throws {InconclusiveError} target-silent, while the origin answers nothing */
  requireResponsive(outgoing: Outgoing): void;
  answered(outgoing: Outgoing): void;
  failed(outgoing: Outgoing, error: unknown): never;
}

const maxConsecutiveTimeouts = 4;
const probeAgainAfterMs = 15_000;

/**
 * Spares a run from waiting for a dead origin with each of its checks: after some timeouts in a row the origin is tried
 * again only now and then.
 */
export function createTimeoutGuard(): TimeoutGuard {
  const timeouts = new Map<string, { count: number; lastMs: number }>();
  return {
    requireResponsive({ method, url }) {
      const seen = timeouts.get(originOf(url));
      if (
        seen === undefined ||
        seen.count < maxConsecutiveTimeouts ||
        performance.now() - seen.lastMs > probeAgainAfterMs
      )
        return;
      throw new InconclusiveError(
        "target-silent",
        `${method} ${originOf(url)}…: not sent, since the last ${seen.count} requests there got no answer in time`,
      );
    },
    answered: ({ url }) => void timeouts.delete(originOf(url)),
    failed({ url }, error) {
      if (error instanceof InconclusiveError && error.code === "target-silent") {
        const origin = originOf(url);
        timeouts.set(origin, { count: (timeouts.get(origin)?.count ?? 0) + 1, lastMs: performance.now() });
      }
      throw error;
    },
  };
}
