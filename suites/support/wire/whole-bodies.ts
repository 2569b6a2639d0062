import { InconclusiveError } from "../verdict.ts";
import type { Exchange } from "./exchange.ts";

/**
 * For a check that found nothing in the bodies of a run: the end of a long one is not kept.
 *
 * @throws {InconclusiveError} answer-unbounded, when one of the bodies was cut
 */
export function requireWholeBodies(exchanges: readonly Exchange[]): void {
  const cut = exchanges.filter(({ response }) => response.cut !== undefined);
  const [first] = cut;
  if (first === undefined) return;
  throw new InconclusiveError(
    "answer-unbounded",
    `found nothing, but ${cut.length} of ${exchanges.length} answers were too long to be kept and searched to their end`,
    { exchange: first },
  );
}
