import { setTimeout as delay } from "node:timers/promises";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, header, isSuccess } from "./exchange.ts";

/** A gateway's word for a service that it cannot reach; from 520, that of a content delivery network. */
const gatewayStatuses: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530];

/** Whether a status says that a gateway answered in the place of a service (C-90); that of a service may be 503 as well. */
export function isGatewayStatus(status: number): boolean {
  return gatewayStatuses.includes(status);
}

/**
 * Whether an answer is that of a gateway in place of the service: it says nothing about the service. A 503 with `Retry-After`
 * is shedding, which is waited for.
 */
export function isGatewayAnswer(exchange: Exchange): boolean {
  const { status } = exchange.response;
  return isGatewayStatus(status) && (status !== 503 || header(exchange, "retry-after") === undefined);
}

/** Whether the network or a gateway kept the service's answer from us. */
export function isDisturbed(exchange: Exchange): boolean {
  return exchange.response.status === 0 || isGatewayAnswer(exchange);
}

/** Whether a request failed for a reason that says nothing about the service: the same may succeed when it is tried again. */
export function isDisturbance(error: unknown): error is InconclusiveError {
  return (
    error instanceof InconclusiveError &&
    ["target-unreachable", "target-silent", "gateway-answer"].includes(error.code)
  );
}

/** @throws {InconclusiveError} gateway-answer */
export function refuseGatewayAnswer(exchange: Exchange, requestLine: string): Exchange {
  if (!isGatewayAnswer(exchange)) return exchange;
  throw new InconclusiveError(
    "gateway-answer",
    `${requestLine}: answered ${exchange.response.status} by a gateway in place of the service`,
    { exchange },
  );
}

/** After each try that a gateway spoilt: it may take a service that has come back into rotation only seconds later. */
const gatewayPausesMs = [200, 600, 1500];

/**
 * Makes something again, from scratch, as long as a disturbance spoils it, such as a grant whose code exchange was lost.
 *
 * @throws {InconclusiveError} that of the last try, when each was disturbed
 */
export async function untilUndisturbed<Result>(make: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await make();
    } catch (error) {
      const pauseMs = gatewayPausesMs[attempt];
      if (!isDisturbance(error) || pauseMs === undefined) throw error;
      if (error.code === "gateway-answer") await delay(pauseMs);
    }
  }
}

/** The answer to a request with something that lives for a moment, such as a code. */
export interface MomentaryUse {
  readonly exchange: Exchange;
  /** When what it uses was ready, by `performance.now()`. */
  readonly readyAtMs: number;
}

const mostUses = 3;

/**
 * Uses something that lives for a moment. Where a limit held the request back for longer than that, it may have expired on
 * its way, and is used again.
 *
 * @param use - makes it and uses it
 * @param longestMs - how long it is sure to live
 */
export async function usedInTime<Use extends MomentaryUse>(
  longestMs: number,
  use: () => Promise<Use>,
): Promise<Use> {
  for (let attempt = 1; ; attempt += 1) {
    const used = await use();
    const isLate = performance.now() - used.readyAtMs > longestMs;
    if (isSuccess(used.exchange) || !isLate || attempt === mostUses) return used;
  }
}
