import { InconclusiveError } from "../verdict.ts";
import type { Outgoing } from "./outgoing.ts";
import { endpointText } from "./network.ts";
import { requestLineOf, wasNeverSent } from "./round-trip.ts";
import { originOf } from "./url.ts";

/** Spares a run from waiting for a dead origin with each of its checks, and bridges an outage that ends. */
export interface OutageGuard {
  /** @throws {InconclusiveError} target-silent or target-unreachable, while the origin is given up */
  requireResponsive(outgoing: Outgoing): void;
  answered(outgoing: Outgoing): void;
  /** How many requests the origin has answered so far. */
  answersOf(outgoing: Outgoing): number;
  failed(outgoing: Outgoing, error: unknown): void;
  /** When to try again at an origin that answered before and takes no connections now; undefined for not at all. */
  reconnectAfterMs(outgoing: Outgoing, error: InconclusiveError): number | undefined;
}

interface Origin {
  answers: number;
  timeouts: number;
  /** Since when no connection can be made. */
  downSinceMs: number | undefined;
  lastFailureMs: number;
}

const maxConsecutiveTimeouts = 4;
const probeAgainAfterMs = 15_000;
const reconnectAfterMs = 500;

/** @param patienceMs - how long an origin that answered before may take no connections */
export function createOutageGuard(patienceMs: number): OutageGuard {
  const origins = new Map<string, Origin>();

  function stateOf({ url, node }: Outgoing): Origin {
    // That one node is down says nothing about what stands in front of them.
    const origin = node === undefined ? originOf(url) : `${originOf(url)} at ${endpointText(node)}`;
    const state = origins.get(origin) ?? {
      answers: 0,
      timeouts: 0,
      downSinceMs: undefined,
      lastFailureMs: 0,
    };
    origins.set(origin, state);
    return state;
  }

  return {
    requireResponsive(outgoing) {
      const { timeouts, downSinceMs, lastFailureMs } = stateOf(outgoing);
      const nowMs = performance.now();
      if (nowMs - lastFailureMs > probeAgainAfterMs) return;
      const requestLine = requestLineOf(outgoing);
      if (timeouts >= maxConsecutiveTimeouts)
        throw new InconclusiveError(
          "target-silent",
          `${requestLine}: not sent, since the last ${timeouts} requests there got no answer in time`,
        );
      if (downSinceMs !== undefined && nowMs - downSinceMs > patienceMs)
        throw new InconclusiveError(
          "target-unreachable",
          `${requestLine}: not sent, since no connection could be made there for ${Math.round((nowMs - downSinceMs) / 1000)} s`,
        );
    },
    answered(outgoing) {
      const state = stateOf(outgoing);
      Object.assign(state, { answers: state.answers + 1, timeouts: 0, downSinceMs: undefined });
    },
    answersOf: (outgoing) => stateOf(outgoing).answers,
    failed(outgoing, error) {
      // A gateway may keep an event stream back until it ends.
      if (outgoing.leavesEventsUnread) return;
      // An error without an exchange is of a request that was not sent.
      if (!(error instanceof InconclusiveError) || error.exchange === undefined) return;
      const state = stateOf(outgoing);
      if (error.code === "target-silent") state.timeouts += 1;
      else if (wasNeverSent(error)) state.downSinceMs ??= performance.now();
      else return;
      state.lastFailureMs = performance.now();
    },
    reconnectAfterMs(outgoing, error) {
      const { answers, downSinceMs } = stateOf(outgoing);
      const isWorthIt =
        answers > 0 && downSinceMs !== undefined && performance.now() - downSinceMs < patienceMs;
      return isWorthIt && wasNeverSent(error) ? reconnectAfterMs : undefined;
    },
  };
}
