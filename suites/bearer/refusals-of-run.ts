import type { Exchange } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import type { ProtectedEndpoint } from "./endpoints.ts";

/** Which refusals a check over the whole run is about. */
interface Selection {
  readonly statuses: readonly number[];
  readonly accepts: (exchange: Exchange) => boolean;
  /** Reads after "needs". */
  readonly words: string;
}

/**
 * What the endpoint refused in this run, whichever check asked.
 *
 * @throws {InconclusiveError} precondition-missing, when there is no such refusal
 */
export function refusalsOfRun(
  target: Target,
  endpoint: ProtectedEndpoint,
  { statuses, accepts, words }: Selection,
): readonly Exchange[] {
  const address = endpoint.address(target);
  const found = target
    .runExchanges()
    .filter(
      (exchange) =>
        exchange.request.url.split("?", 1)[0] === address &&
        statuses.includes(exchange.response.status) &&
        accepts(exchange),
    );
  if (found.length > 0) return found;
  throw new InconclusiveError("precondition-missing", `needs ${words}, found none in the run`);
}
