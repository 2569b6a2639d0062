import { InconclusiveError } from "../verdict.ts";
import { type Exchange, header } from "./exchange.ts";

/**
 * Whether an answer is that of a gateway in place of the service: it says nothing of the service. A 503 with `Retry-After`
 * is shedding, which is waited for.
 */
export function isGatewayAnswer(exchange: Exchange): boolean {
  const { status } = exchange.response;
  return (
    status === 502 || status === 504 || (status === 503 && header(exchange, "retry-after") === undefined)
  );
}

/** Whether the network or a gateway kept the service's answer from us. */
export function isDisturbed(exchange: Exchange): boolean {
  return exchange.response.status === 0 || isGatewayAnswer(exchange);
}

/** Whether a request failed for a reason that says nothing of the service: the same may succeed when it is made anew. */
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

const maxTries = 4;

/**
 * Makes something that a disturbance may have spoilt, such as a grant whose code exchange was lost, from scratch until
 * nothing disturbs it.
 *
 * @throws {InconclusiveError} that of the last try, when each was disturbed
 */
export async function madeAnew<Result>(make: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make();
    } catch (error) {
      if (!isDisturbance(error) || attempt === maxTries) throw error;
    }
  }
}
