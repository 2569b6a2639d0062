import { InconclusiveError } from "../verdict.ts";
import { type Exchange, summary } from "./exchange.ts";

/**
 * The error of a check whose control, or a step that it builds on, was refused: then a refusal of its subject proves nothing.
 *
 * @param what - the request, such as "a valid code exchange"
 * @param expected - what would have let the check go on, such as "200 with access_token"
 * @param explainedBy - id of the requirement or check that judges this very request, where one does
 */
export function controlRefused(
  what: string,
  expected: string,
  exchange: Exchange,
  explainedBy?: string,
): InconclusiveError {
  return new InconclusiveError("control-refused", `${what}: expected ${expected}, got ${summary(exchange)}`, {
    exchange,
    explainedBy,
  });
}
