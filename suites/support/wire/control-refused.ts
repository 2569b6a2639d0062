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

/**
 * Names the check that judges a control by itself, in place of what the refused control names.
 *
 * @param explainedBy - id of a requirement or check
 * @throws what `send` throws; an {@link InconclusiveError} of the code control-refused with this explanation
 */
export async function controlJudgedBy<Result>(
  explainedBy: string,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof InconclusiveError) || error.code !== "control-refused") throw error;
    const { message, exchange } = error;
    throw new InconclusiveError("control-refused", message, { cause: error, exchange, explainedBy });
  }
}
